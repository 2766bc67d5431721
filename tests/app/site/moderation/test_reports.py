"""Reporting players."""

import pytest

from tests.support.answers import code
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import Match, Program, Visitor, make_old


@pytest.fixture
def moderator(server, database_url):
    return make_moderator(database_url, Program(server))


def report(program, about, **members):
    return program.http.post("/reports", json={"username": about.username, "reason": "abuse", **members})


def test_the_same_report_twice_is_one(program, other):
    first = report(program, other, place="game:k7m2wq9xab", text="In the chat.")
    assert first.status_code == 201
    assert report(program, other, place="game:k7m2wq9xab").json() == first.json()
    assert report(program, other, place=f"profile:{other.username}").json() != first.json()


def test_what_is_wrong_with_a_report_is_said(program, other):
    assert code(report(program, program)) == (422, "own_report")
    assert code(report(program, other, reason="boredom")) == (422, "invalid_request")
    assert report(program, Program(program.server), place="x" * 101).status_code == 422
    unknown = {"username": "nobody-of-this-name", "reason": "spam"}
    assert code(program.http.post("/reports", json=unknown)) == (404, "not_found")


@pytest.fixture
def twenty_reports(program, other):
    for number in range(20):
        assert report(program, other, place=f"game:{number}").status_code == 201


def test_a_player_has_at_most_twenty_open_reports(program, other, twenty_reports):
    assert code(report(program, other, place="game:20")) == (409, "too_many_reports")


def test_a_profile_leads_to_a_report_in_two_clicks(server, program):
    visitor = Visitor(server).register()
    link = f"/report?player={program.username}&amp;place=profile%3A{program.username}"
    assert link in visitor.http.get(f"/players/{program.username}").text
    form = visitor.http.get(link.replace("&amp;", "&")).text
    assert f'name="place" value="profile:{program.username}"' in form
    sent = {"username": program.username, "place": f"profile:{program.username}", "reason": "name"}
    thanks = visitor.http.post("/report", data=sent)
    assert "Thank you" in thanks.text
    assert f'href="/players/{program.username}"' in thanks.text


def test_the_page_of_a_report_is_about_a_player(visitor):
    visitor.register()
    assert visitor.http.get("/report").url.path == "/players"
    assert "There is no such player" in visitor.http.get("/report?player=nobody-of-this-name").text
    assert "You cannot report yourself." in visitor.http.get(f"/report?player={visitor.username}").text


def test_thanks_for_a_report_lead_back_to_the_page_that_it_came_from(server, program):
    visitor = Visitor(server).register()
    about = {"username": program.username, "place": "chat:1", "reason": "abuse"}
    link = f"/report?player={program.username}&place=chat:1&next=/games/k7m2wq9xab"
    assert 'name="next" value="/games/k7m2wq9xab"' in visitor.http.get(link).text
    for given, leads_to in (("/games/k7m2wq9xab", "/games/k7m2wq9xab"), ("//evil.example/x", "/lobby")):
        thanks = visitor.http.post("/report", data={**about, "next": given})
        assert f'button-main" href="{leads_to}"' in thanks.text


@pytest.fixture
def match(server, database_url):
    """Return a game under way of two players who have played before, so that they may write texts."""
    match = Match(server)
    make_old(database_url, match.black, match.white)
    match.play("d4", "pass", "e5", "pass", "pass")
    made = match.black.challenge(opponent=match.white.username).json()["id"]
    match.id = match.white.http.post(f"/challenges/{made}/accept").json()["game_id"]
    return match


def test_a_report_quotes_only_what_its_reporter_may_read(program, match, moderator):
    writer, reader = match.black, match.white
    sent = writer.http.post(f"/messages/{reader.username}", json={"text": "Message"}).json()
    said = writer.http.post(f"/games/{match.id}/chat", json={"room": "players", "text": "Line"}).json()
    study = {"game": "up_and_up", "title": "Study", "visibility": "private"}
    kept = writer.http.post("/studies", json=study).json()
    places = f"message:{sent['id']}", f"chat:{said['id']}", f"study:{kept['id']}"
    for reporter in (program, reader):
        for place in places:
            assert report(reporter, writer, place=place).status_code == 201
    quotes = {(each["reporter"], each["quote"]) for each in open_reports(moderator, writer)}
    assert quotes == {(program.username, ""), *((reader.username, text) for text in ("Message", "Line", ""))}
