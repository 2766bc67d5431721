"""Reporting players."""

import re
import string

import pytest
from hypothesis import assume, example, given, strategies

from app.core.errors import FieldError
from app.site.moderation import places
from tests.support.answers import code
from tests.support.database import execute
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import PASSWORD, Match, Program, Visitor, fresh_name, make_old
from tests.support.waiting import WITHIN, wait_until

NAMES = strategies.sampled_from(string.ascii_letters + string.digits + "_-")


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


KNOWN_KINDS = {"game", "entry", "action", *places.written_texts()}


@given(strategies.sampled_from(sorted(KNOWN_KINDS)), strategies.data())
def test_a_place_of_a_known_kind_can_be_reported_by_each_name_of_its_form(kind, data):
    name = data.draw(strategies.from_regex(places._kind(kind).form, fullmatch=True, alphabet=NAMES))
    places.check_known(f"{kind}:{name}")


@given(strategies.from_regex("([a-z]{1,9}|game|entry|chat)(:[a-zA-Z0-9_-]{0,3})?", fullmatch=True))
@example("games:k7m2wq9xab")
def test_no_other_place_can_be_reported(place):
    kind, _, name = place.partition(":")
    assume(kind not in KNOWN_KINDS or not name or re.fullmatch(places._kind(kind).form, name) is None)
    with pytest.raises(FieldError):
        places.check_known(place)


@pytest.mark.parametrize("place", ["foo:1", "game:zzz", "games:k7m2wq9xab", "here"])
def test_a_report_about_no_known_place_is_refused(program, other, visitor, place):
    assert code(report(program, other, place=place)) == (422, "bad_place")
    visitor.register()
    sent = {"username": other.username, "place": place, "reason": "abuse"}
    for answer in (
        visitor.http.get("/report", params={"player": other.username, "place": place}),
        visitor.http.post("/report", data=sent),
    ):
        assert answer.status_code == 422
        assert "This cannot be reported." in answer.text


@pytest.fixture
def twenty_reports(program, other):
    for number in range(20):
        assert report(program, other, place=f"chat:{number}").status_code == 201


def test_a_player_has_at_most_twenty_open_reports(program, other, twenty_reports):
    assert code(report(program, other, place="chat:20")) == (409, "too_many_reports")
    assert report(program, other, place="chat:19").status_code == 201  # it is there already


def test_who_has_twenty_open_reports_answers_a_decision(program, other, moderator, twenty_reports):
    warning = {"username": program.username, "action": "warn", "reason": "Rude"}
    action = moderator.http.post("/moderation/actions", json=warning).json()["id"]
    assert program.http.post(f"/me/moderation/{action}/answer", json={"text": "Sorry"}).status_code == 204
    (answer,) = open_reports(moderator, program)
    assert answer["text"] == "Sorry"


def test_an_answer_is_no_report_about_others(program, other, moderator):
    warning = {"username": program.username, "action": "warn", "reason": "Rude"}
    action = moderator.http.post("/moderation/actions", json=warning).json()["id"]
    assert program.http.post(f"/me/moderation/{action}/answer", json={"text": "Sorry"}).status_code == 204
    made = [report(program, other, place=f"chat:{number}").status_code for number in range(21)]
    assert made == [201] * 20 + [409]


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
    for wanted, leads_to in (("/games/k7m2wq9xab", "/games/k7m2wq9xab"), ("//evil.example/x", "/lobby")):
        thanks = visitor.http.post("/report", data={**about, "next": wanted})
        assert f'button-main" href="{leads_to}"' in thanks.text


@pytest.fixture
def match(server, database_url):
    """Return a game under way of two players who have played before, so that they may write texts."""
    match = Match(server)
    make_old(database_url, match.black, match.white)
    match.play("d4", "pass", "e5", "pass", "pass")
    match.id = match.black.begin(match.white)
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


def test_a_flood_of_reports_hides_no_honest_one(server, program, other, moderator, database_url):
    told = {"username": other.username, "reason": "abuse", "place": f"profile:{other.username}"}
    honest = program.http.post("/reports", json=told).json()["id"]
    flood = """
    WITH flooder AS (
        INSERT INTO accounts (username) VALUES ($1) RETURNING id
    )
    INSERT INTO reports (account_id, reporter_id, reason, place, text)
    SELECT accounts.id, flooder.id, 'spam', 'game:' || number, ''
    FROM flooder, accounts, generate_series(1, 250) number WHERE username = $2
    """
    guest = fresh_name("guest-")
    execute(database_url, flood, guest, other.username)
    judge = Visitor(server).log_in(moderator.username)
    assert program.username in judge.http.get("/moderation").text
    assert guest not in judge.http.get("/moderation").text
    assert guest in judge.http.get("/moderation/guests").text
    found, older = [], {"from": "guests"}
    while older is not None:
        page = moderator.http.get("/moderation/reports", params=older).json()
        found += page["reports"]
        older = page["older"] and {"from": "guests", "before": page["older"]}
    assert [each["reporter"] for each in found if each["username"] == other.username] == [guest] * 250
    assert f'guests">Reports by guests</a> ({len(found)})' in judge.http.get("/moderation").text
    others = len(open_reports(moderator)) - len(found)
    with judge.live("/account/live") as socket:
        wait_until(lambda: f'hx-target="#reports" hx-swap="innerMorph">{others}<' in socket.recv(WITHIN))
    other_reports = moderator.http.get("/moderation/reports", params={"from": "others"}).json()["reports"]
    assert honest in {each["id"] for each in other_reports}


def test_the_form_of_a_report_shows_no_words_that_pages_hide(server, program, other):
    program.http.put("/me/profile", json={"text": "A word of its own"})
    reader = Visitor(server).log_in(other.username)
    link = f"/report?player={program.username}&place=profile:{program.username}"
    assert "A word of its own" in reader.http.get(link).text
    other.http.put(f"/players/{program.username}/mute")
    assert "A word of its own" not in reader.http.get(link).text
    other.http.delete(f"/players/{program.username}/mute")
    assert program.http.post("/me/close", json={"password": PASSWORD}).status_code == 204
    assert "A word of its own" not in reader.http.get(link).text
