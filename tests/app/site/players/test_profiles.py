"""What players tell about themselves on their profiles."""

import pytest

from app.core.i18n.names import COUNTRIES, LANGUAGES
from app.core.settings import ROOT
from tests.support.answers import code
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import Program, Visitor

ABOUT = {
    "text": "I play\n\non Sundays.",
    "country": "pl",
    "languages": ["pl", "en"],
    "links": ["https://wren.example/me?a=b"],
}


def describe(program, **members):
    return program.http.put("/me/profile", json={**ABOUT, **members})


def told(reader, program):
    return reader.http.get(f"/players/{program.username}").json()["profile"]


def test_a_program_tells_what_everybody_reads(program, other, visitor):
    assert told(other, program) == {"text": "", "country": "", "languages": [], "links": []}
    assert describe(program, languages=["pl", "en", "pl"]).json() == ABOUT
    assert program.http.get("/me/profile").json() == told(other, program) == ABOUT
    page = visitor.http.get(f"/players/{program.username}", headers={"Accept-Language": "pl"}).text
    for shown in ("Polska", "polski, angielski", "flags/pl.svg", "on Sundays."):
        assert shown in page
    assert '<a href="https://wren.example/me?a=b" rel="nofollow ugc noopener">wren.example/me?a=b</a>' in page


@pytest.mark.parametrize(
    "members",
    [
        {"links": [link]}
        for link in (
            *("javascript:alert(1)", "//wren.example", "wren.example", "https://wren@evil.example/"),
            *(
                "https://localhost",
                "https://wren.example/ x",
                "https://wr\u0435n.example",
                "ftp://wren.example",
            ),
            *("https://[wren.example", "https://wren.example/" + "x" * 200),
        )
    ]
    + [
        {"links": ["https://wren.example"] * 6},
        {"languages": ["pl", "en", "de", "es"]},
        {"languages": ["xx"]},
        {"country": "PL"},
        {"text": "x" * 1001},
        {"colour": "red"},
    ],
)
def test_what_cannot_be_shown_safely_is_refused(program, members):
    assert code(describe(program, **members)) == (422, "invalid_request")


def test_a_player_tells_by_the_form_of_the_settings(server, visitor):
    visitor.http.post("/guest")
    assert visitor.http.get("/account/profile").status_code == 403
    visitor.register()
    form = {
        "text": "Hello",
        "country": "de",
        "language2": "de",
        "language1": "sw",
        "links": "https://a.example\nb",
    }
    refused = visitor.http.post("/account/profile", data=form)
    assert (refused.status_code, "Enter links as your browser shows them" in refused.text) == (422, True)
    assert 'value="sw" selected' in refused.text
    saved = visitor.http.post(
        "/account/profile", data={**form, "links": "https://a.example http://b.example"}
    )
    assert (saved.status_code, "Saved." in saved.text) == (200, True)
    page = Visitor(server).http.get(f"/players/{visitor.username}").text
    assert "Germany" in page
    assert "Swahili, German" in page
    assert page.count('rel="nofollow ugc noopener"') == 2
    visitor.http.post("/account/profile", data={})
    assert "Germany" not in Visitor(server).http.get(f"/players/{visitor.username}").text


def test_who_mutes_a_player_does_not_read_what_they_tell(program, other, visitor):
    describe(program)
    visitor.register()
    visitor.http.post(f"/players/{program.username}/mute")
    page = visitor.http.get(f"/players/{program.username}").text
    assert "on Sundays." not in page
    assert "wren.example" not in page
    assert "Poland" in page


@pytest.mark.parametrize("is_blocker", [True, False])
def test_a_block_hides_what_a_player_tells_in_both_directions(program, visitor, is_blocker):
    describe(program)
    visitor.register()
    assert "on Sundays." in visitor.http.get(f"/players/{program.username}").text
    if is_blocker:
        visitor.http.post(f"/players/{program.username}/block")
    else:
        program.http.put(f"/players/{visitor.username}/block")
    assert "on Sundays." not in visitor.http.get(f"/players/{program.username}").text


def test_a_moderator_removes_the_words_and_a_muted_player_writes_none(server, program, database_url):
    moderator, reporter = make_moderator(database_url, Program(server)), Program(server)
    describe(program)
    report = {"username": program.username, "place": f"profile:{program.username}", "reason": "spam"}
    reporter.http.post("/reports", json=report)
    (shown,) = open_reports(moderator, program)
    assert shown["quote"] == f"{ABOUT['text']}\n{ABOUT['links'][0]}"
    order = {"username": program.username, "reason": "Advertising", "subject": f"profile:{program.username}"}
    done = moderator.http.post("/moderation/actions", json={**order, "action": "remove_text"})
    assert done.status_code == 201
    assert told(reporter, program) == {**ABOUT, "text": "", "links": []}
    moderator.http.post("/moderation/actions", json={**order, "action": "mute"})
    assert code(describe(program)) == (403, "muted")
    assert describe(program, text="", links=[]).status_code == 200


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"country": "de", "languages": []}, 200),
        ({"text": ""}, 200),
        ({"links": ABOUT["links"][:1]}, 200),
        ({"text": f"{ABOUT['text']}!"}, 403),
        ({"links": [*ABOUT["links"], "https://another.example"]}, 403),
    ],
)
def test_a_muted_player_keeps_words_and_changes_the_rest(server, program, database_url, changed, status):
    moderator = make_moderator(database_url, Program(server))
    describe(program)
    order = {"username": program.username, "reason": "Advertising", "action": "mute"}
    moderator.http.post("/moderation/actions", json=order)
    assert describe(program, **changed).status_code == status


def test_there_is_a_flag_for_each_country_and_none_of_them_can_do_anything():
    flags = {path.stem: path.read_text() for path in (ROOT / "static" / "vendor" / "flags").glob("*.svg")}
    assert set(flags) == COUNTRIES
    assert {"pl", "en", "sr"} <= LANGUAGES
    for flag in flags.values():
        assert "<script" not in flag
        assert "http" not in flag.replace("http://www.w3.org/", "")
