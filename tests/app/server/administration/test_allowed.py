"""Who sees the pages of administration and may send their forms: all those of the table of routes."""

import pytest

from tests.support.accounts import grant
from tests.support.players import Visitor
from tests.support.routes import calls
from tests.support.tournaments import member

FORMS = {
    "/admin/announcement": {"en": "No", "ends_at": "2099-01-01T00:00"},
    "/admin/announcement/end": {},
    "/admin/registration": {"mode": "closed"},
    "/admin/invitations": {"most": "3", "invited_until": "2099-01-01T00:00"},
    "/admin/invitations/end": {"code": "nothing"},
    "/admin/names": {"name": "nobody"},
    "/admin/names/release": {"name": "nobody"},
    "/admin/mail/test": {},
    "/admin/rights": {"username": "nobody", "right": "moderator"},
    "/admin/rights/revoke": {"username": "nobody", "right": "moderator"},
    "/admin/schedules/run": {"schedule": "delete_old_events"},
}
"""What each form sends if it is filled in correctly."""

ROUTES = {(call.method, call.path) for call in calls() if call.path.startswith("/admin")}
PAGES = {path for method, path in ROUTES if method == "GET"}


def test_every_form_is_tried():
    assert {path for method, path in ROUTES if method == "POST"} == set(FORMS)
    assert {method for method, _path in ROUTES} == {"GET", "POST"}


def answers_to(http):
    """Return the status of each page and form, by its path."""
    pages = {path: http.get(path, follow_redirects=False).status_code for path in PAGES}
    forms = {path: http.post(path, data=FORMS[path], follow_redirects=False).status_code for path in FORMS}
    return pages | {f"form of {path}": status for path, status in forms.items()}


@pytest.mark.parametrize("rights", [(), ("moderator",), ("organiser", "moderator")])
def test_players_without_the_right_see_and_change_nothing(server, database_url, player, rights):
    grant(database_url, player, *rights)
    visitor = member(server, player.username)
    assert {path: status for path, status in answers_to(visitor.http).items() if status != 403} == {}
    assert "/admin" not in visitor.http.get("/").text


def test_visitors_and_guests_are_asked_to_log_in(server):
    visitor, guest = Visitor(server), Visitor(server)
    guest.http.post("/guest", data={})
    for http in (visitor.http, guest.http):
        assert set(answers_to(http).values()) <= {303, 401, 403}


def test_administrators_see_every_page(administrator):
    assert {administrator.http.get(path).status_code for path in PAGES} == {200}
