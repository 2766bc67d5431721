"""What administrators decide about the site: announcements, registration and names."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from app.core.moments import utc_now
from tests.support.announcements import end_announcement
from tests.support.commands import gorrion, json_lines
from tests.support.database import execute, fetch
from tests.support.forms import sent_by
from tests.support.games import post
from tests.support.moderation import make_moderator
from tests.support.players import PASSWORD, Program, Visitor, fresh_name
from tests.support.waiting import wait_until


@pytest.fixture
def site(administrator, database_url):
    """Return a function that sends a form of an administrator; afterwards everything is as before."""
    yield lambda path, **form: administrator.http.post(f"/admin/{path}", data=form)
    end_announcement(administrator.http)
    for table in ("registration_modes", "invitations", "reserved_names"):
        execute(database_url, f"DELETE FROM {table}")


def soon(**later):
    return f"{utc_now() + timedelta(**later or {'hours': 1}):%Y-%m-%dT%H:%M}"


def audited(database_url, action):
    return fetch(
        database_url,
        "SELECT detail, browser FROM security_events WHERE action = $1 ORDER BY id DESC LIMIT 1",
        action,
    )


def create(server, **more):
    body = {"username": fresh_name(), "password": PASSWORD, **more}
    return Visitor(server).http.post("/api/v1/accounts", json=body)


def test_an_announcement_is_on_every_page_in_the_readers_language(server, site, database_url):
    text = f"<b>Update</b> & {uuid4().hex}"
    answer = site("announcement", en=text, de="Heute Abend", ends_at=soon())
    assert answer.status_code == 200, answer.text
    http = Visitor(server).http

    def banner(path, language):
        return http.get(path, headers={"Accept-Language": language}).text.partition('class="banner"')[2][:300]

    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    wait_until(lambda: escaped in banner("/", "en"))
    for path in ("/help", "/nothing", "/login"):
        assert 'lang="en"' in banner(path, "pl")
        assert escaped in banner(path, "pl")
        assert "Heute Abend" in banner(path, "de")
    assert audited(database_url, "announced")["detail"] == text
    site("announcement/end")
    wait_until(lambda: banner("/", "en") == "")


def test_another_announcement_than_the_one_that_was_seen_is_not_taken_back(site, administrator, database_url):
    def shown():
        return sent_by(administrator.http.get("/admin/site").text, "/admin/announcement/end")

    site("announcement", en="The first", ends_at=soon())
    seen = shown()
    site("announcement", en="The second", ends_at=soon())
    refused = site("announcement/end", **seen)
    assert (refused.status_code, "Something else is announced now." in refused.text) == (409, True)
    assert fetch(database_url, "SELECT count(*) FROM announcements")[0] == 1
    assert site("announcement/end", **shown()).is_success
    assert site("announcement/end", **seen).is_success  # it is taken back already


def test_an_announcement_ends_by_itself(server, site, clock):
    site("announcement", en="Soon over", ends_at=soon(minutes=5))
    http = Visitor(server).http
    wait_until(lambda: "Soon over" in http.get("/").text)
    clock.advance(minutes=6)
    wait_until(lambda: "Soon over" not in http.get("/").text)


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("en", {"en": " \u200b", "ends_at": "2099-01-01T00:00"}),
        ("de", {"en": "Yes", "de": "x" * 301, "ends_at": "2099-01-01T00:00"}),
        ("ends_at", {"en": "Yes", "ends_at": "2020-01-01T00:00"}),
        ("ends_at", {"en": "Yes", "ends_at": "soon"}),
        ("ends_at", {"en": "Yes"}),
    ],
)
def test_an_announcement_that_cannot_be_made_is_refused_at_its_field(site, field, form):
    answer = site("announcement", **form)
    assert answer.status_code == 422
    assert f'id="error-{field}"' in answer.text


def test_the_command_line_announces(server, site, database_url):
    gorrion("announce", "From the shell", "--pl", "Z powłoki", database=database_url)
    http = Visitor(server).http
    wait_until(lambda: "Z powłoki" in http.get("/", headers={"Accept-Language": "pl"}).text)
    gorrion("end-announcement", database=database_url)
    wait_until(lambda: "From the shell" not in http.get("/").text)
    assert audited(database_url, "announcement_ended")["browser"] == "the operator"


def test_nobody_registers_while_registration_is_closed(server, site, database_url):
    guest = Visitor(server)
    guest.http.post("/guest", data={})
    assert site("registration", mode="closed").status_code == 200
    assert "No new accounts" in Visitor(server).http.get("/register").text
    form = {"username": fresh_name(), "password": PASSWORD}
    for refused in (
        guest.http.post("/register", data=form),
        Visitor(server).http.post("/register", data=form),
    ):
        assert refused.status_code == 403
        assert "No new accounts are made here at the moment." in refused.text
    assert (create(server).status_code, create(server).json()["code"]) == (403, "registration_closed")
    said = audited(database_url, "registration_changed")
    assert said["detail"] == "closed"
    assert said["browser"].startswith("administrator ")
    site("registration", mode="open")
    assert guest.http.post("/register", data=form).is_success


def test_an_invitation_admits_as_many_people_as_it_says(server, site, database_url, clock):
    site("registration", mode="invitation")
    site("invitations", most="2", invited_until=soon(hours=2))
    code = fetch(database_url, "SELECT code FROM invitations")["code"]
    assert create(server).json()["code"] == "needs_invitation"
    assert create(server, invitation="anything").json()["code"] == "invitation_over"
    link = f"/register?invitation={code}"
    visitor = Visitor(server)
    assert f'name="invitation" value="{code}"' in visitor.http.get(link).text
    form = {"username": fresh_name(), "password": PASSWORD, "invitation": code}
    assert visitor.http.post("/register", data=form).is_success
    assert create(server, username="admin", invitation=code).status_code == 422  # uses nothing up
    assert create(server, invitation=code).status_code == 201
    assert create(server, invitation=code).json()["code"] == "invitation_over"
    assert "used up" in Visitor(server).http.get(link).text
    execute(database_url, "UPDATE invitations SET used = 0")
    clock.advance(hours=3)
    assert create(server, invitation=code).json()["code"] == "invitation_over"


def test_an_invitation_can_be_ended(server, site, administrator, database_url):
    site("registration", mode="invitation")
    site("invitations", most="2", invited_until=soon())
    code = fetch(database_url, "SELECT code FROM invitations")["code"]
    assert code in administrator.http.get("/admin/site").text
    site("invitations/end", code=code)
    assert create(server, invitation=code).json()["code"] == "invitation_over"


@pytest.mark.parametrize("form", [{"most": "0"}, {"most": "100000"}, {"invited_until": "2020-01-01T00:00"}])
def test_an_invitation_that_cannot_be_used_is_not_made(site, database_url, form):
    answer = site("invitations", **{"most": "1", "invited_until": soon(), **form})
    assert answer.status_code == 422
    assert fetch(database_url, "SELECT count(*) FROM invitations")[0] == 0


def test_the_command_line_decides_who_registers(server, site, database_url):
    gorrion("registration", "invitation", database=database_url)
    path = json.loads(gorrion("invite", "--people", "1", database=database_url).stdout)["path"]
    code = path.partition("=")[2]
    assert json.loads(gorrion("registration", database=database_url).stdout)["invitations"][0]["code"] == code
    assert create(server, invitation=code).status_code == 201
    gorrion("end-invitation", code, database=database_url)
    gorrion("registration", "open", database=database_url)
    assert create(server).status_code == 201


def test_reserved_names_and_their_look_alikes_are_nobodys(server, site, database_url):
    name = fresh_name()[:12].rstrip("0123456789") + "abo"
    site("names", name=name)
    alike = (name, name.upper(), name.replace("o", "0"), f"{name}7")
    assert {create(server, username=each).status_code for each in alike} == {422}
    moderator, player = make_moderator(database_url, Program(server)), Program(server)
    order = {"action": "rename", "new_name": name, "reason": "Because of its name"}
    refused = post(moderator, "/moderation/actions", username=player.username, **order)
    assert refused.json()["code"] == "username_taken", refused.text
    site("names/release", name=name)
    assert create(server, username=name).status_code == 201
    assert audited(database_url, "name_released")["detail"] == name


@pytest.mark.parametrize("name", ["", "a b", "x" * 21, "ż"])
def test_what_is_no_name_is_not_reserved(site, name):
    assert site("names", name=name).status_code == 422


def test_the_command_line_reserves_names(server, site, database_url):
    name = fresh_name()
    assert json_lines(database_url, "reserve-name", name) == [{"reserved": name}]
    assert create(server, username=name).status_code == 422
    assert json_lines(database_url, "release-name", name) == [{"released": name}]
    assert create(server, username=name).status_code == 201


def test_what_changes_nothing_is_not_in_the_audit_log(site, database_url):
    def count():
        return fetch(
            database_url,
            "SELECT count(*) FROM security_events WHERE action IN ('announcement_ended', 'name_reserved')",
        )[0]

    name = fresh_name("kept")
    site("announcement", en="Once", ends_at=soon())
    site("announcement/end")
    site("names", name=name)
    before = count()
    site("announcement/end")
    site("names", name=name.upper())
    assert count() == before
