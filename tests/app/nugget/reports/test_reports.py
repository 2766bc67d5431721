"""Final reports: records are open when a competition is over, the winner's film, and the players' methods."""

import json
import re
import time
from datetime import timedelta

import pytest

from app.core.database.session import Database
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.nugget.competitions import Competitions
from app.nugget.rankings import Rankings
from app.nugget.reports.service import Reports
from engine.golden_nugget.entry import verify, verify_file
from engine.golden_nugget.record import from_moves
from tests.support.accounts import grant
from tests.support.answers import assert_problem
from tests.support.moderation import make_moderator
from tests.support.nugget import hide_boards, new_record
from tests.support.players import Program, Visitor
from tests.support.tournaments import member

END = {"reason": "All are in."}


class Cup:
    """A competition with two entries, that of `wren` being the better one."""

    def __init__(self, server, database_url, visibility):
        hide_boards(database_url)
        self.server, self.database_url = server, database_url
        self.organiser = grant(database_url, Program(server), "organiser")
        now, hour = utc_now(), timedelta(hours=1)
        terms = {
            "title": "Cup",
            "starts_at": (now - hour).isoformat(),
            "ends_at": (now + hour).isoformat(),
        }
        made = self.organiser.http.post("/nugget/competitions", json={**terms, "visibility": visibility})
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        self.path = f"/nugget/competitions/{self.id}"
        self.wren, self.finch = Program(server), Program(server)
        self.boards = new_record(7)
        self.entry = self.enter(self.wren, self.boards)
        self.other_entry = self.enter(self.finch, new_record(9))

    def enter(self, program, boards):
        sent = program.http.post(f"/nugget/entries?competition={self.id}", json={"boards": boards})
        assert sent.status_code == 201, sent.text
        return sent.json()["id"]

    def end(self):
        assert self.organiser.http.post(f"{self.path}/end", json=END).status_code == 200
        for _ in range(100):
            if self.moves():
                return self
            time.sleep(0.1)
        raise AssertionError("the entries were not opened")

    def moves(self, entry=None):
        return Visitor(self.server).http.get(f"/api/v1/nugget/entries/{entry or self.entry}").json()["moves"]

    def page(self, visitor=None):
        return (visitor or Visitor(self.server)).http.get(self.path).text


@pytest.fixture(params=["open", "sealed"])
def cup(request, server, database_url):
    return Cup(server, database_url, request.param)


@pytest.fixture
def ended(server, database_url):
    return Cup(server, database_url, "sealed").end()


def test_all_records_are_open_when_a_competition_is_over(cup):
    records = f"{cup.server.url}{cup.path}/records.jsonl"
    visitor = Visitor(cup.server)
    assert cup.moves() is None
    assert visitor.http.get(records).status_code == 409
    assert "The winner" not in cup.page()
    cup.end()
    assert cup.moves() == cup.boards
    lines = [json.loads(line) for line in visitor.http.get(records).text.splitlines()]
    assert [(line["entry_id"], line["username"]) for line in lines] == [
        (cup.entry, cup.wren.username),
        (cup.other_entry, cup.finch.username),
    ]
    for line in lines:
        assert verify_file(line["record"].encode()).sha256 == line["record_sha256"]
    ranking = cup.wren.http.get(f"{cup.path}/ranking").json()["rows"]
    assert [row["entry_id"] for row in ranking] == [cup.entry, cup.other_entry]  # both stay own work


def test_records_of_a_cancelled_competition_and_withdrawn_ones_stay_closed(cup):
    assert cup.finch.http.post(f"/nugget/entries/{cup.other_entry}/withdraw").status_code == 200
    cup.end()
    assert cup.moves(cup.other_entry) is None
    other = Cup(cup.server, cup.database_url, "sealed")
    assert other.organiser.http.post(f"{other.path}/cancel", json=END).status_code == 200
    time.sleep(4)  # competitions are released every 3 seconds
    assert other.moves() is None
    assert other.finch.http.get(f"{other.path}/methods").json()["code"] == "competition_not_over"


def test_the_report_has_exact_means_and_the_winners_boards(ended):
    page = ended.page()
    counts = verify(from_moves(ended.boards)).counts
    assert f'<small class="soft">{sum(counts)}/{len(counts)}</small>' in page
    moves = re.search(r'data-moves="([^"]*)"', page)[1]
    assert [board.split(" ") for board in moves.split("; ")] == ended.boards
    assert f'src="{ended.path}/film.svg"' in page
    assert f"/nugget/entries/{ended.entry}/boards/1?move=0" in page


def test_a_film_is_light_and_still_where_motion_is_not_wanted(ended):
    film = Visitor(ended.server).http.get(f"{ended.path}/film.svg")
    assert film.headers["content-type"] == "image/svg+xml"
    assert len(film.content) < 100_000
    assert "@media (prefers-reduced-motion:reduce){g{animation-play-state:paused" in film.text


def test_a_competition_that_is_not_over_has_no_film(cup):
    assert Visitor(cup.server).http.get(f"{cup.path}/film.svg").status_code == 404


def describe(cup, program, text):
    return program.http.put(f"{cup.path}/method", json={"text": text})


def methods(cup):
    listed = cup.finch.http.get(f"{cup.path}/methods").json()
    return {method["username"]: method["text"] for method in listed}


def test_players_describe_their_methods_and_change_them(ended):
    assert describe(ended, ended.wren, "By hand.\n\n\n<b>Slowly</b>.").status_code == 204
    assert methods(ended) == {ended.wren.username: "By hand.\n\n<b>Slowly</b>."}
    assert "&lt;b&gt;Slowly" in ended.page()
    browser = member(ended.server, ended.wren.username)
    assert "By hand." in re.search(r"<textarea.*?</textarea>", ended.page(browser), re.DOTALL)[0]
    browser.http.post(f"{ended.path}/method", data={"text": "With a <beam> search."})
    assert methods(ended) == {ended.wren.username: "With a <beam> search."}
    assert describe(ended, ended.wren, "").status_code == 204
    assert methods(ended) == {}
    assert describe(ended, ended.wren, "x" * 5_001).status_code == 422


async def test_methods_are_read_in_pages_and_ones_own_is_known_on_each(ended, database_url):
    assert describe(ended, ended.finch, "First.").status_code == 204
    assert describe(ended, ended.wren, "Second.").status_code == 204
    database = await Database.open(database_url, pool_size=1)
    competitions = Competitions(database, MemoryBus(Hub()))
    reports = Reports(database, competitions, Rankings(database))
    competition = await competitions.get(ended.id)
    first = await reports.methods(competition, "", 1)
    second = await reports.methods(competition, first.next, 1)
    await database.close()
    assert [method.text for method in (*first.rows, *second.rows)] == ["First.", "Second."]
    assert second.next is None
    visitor = Visitor(ended.server).http
    listed = visitor.get(f"/api/v1{ended.path}/methods?limit=1")
    following = visitor.get(listed.links["next"]["url"])
    assert [method["text"] for method in (*listed.json(), *following.json())] == ["First.", "Second."]
    assert "next" not in following.links
    own = member(ended.server, ended.finch.username).http.get(f"{ended.path}?methods={first.next}").text
    assert "First." in re.search(r"<textarea.*?</textarea>", own, re.DOTALL)[0]
    assert own.count("First.") == own.count("Second.") == 1


def test_only_players_with_an_entry_describe_a_method_and_only_after_the_end(ended, cup):
    stranger = Program(ended.server)
    assert_problem(describe(ended, stranger, "I watched."), 403, "no_entry")
    assert "Your method" not in ended.page(member(ended.server, stranger.username))
    assert_problem(describe(cup, cup.wren, "By hand."), 409, "competition_not_over")


def test_moderators_remove_a_method_and_mute_its_author(ended, database_url):
    assert describe(ended, ended.finch, "Buy my blocks!").status_code == 204
    listed = ended.wren.http.get(f"{ended.path}/methods").json()
    (method,) = [each for each in listed if each["username"] == ended.finch.username]
    place = f"method:{method['id']}"
    reader = member(ended.server, ended.wren.username)
    assert f"place={place}".replace(":", "%3A") in ended.page(reader)
    moderator = make_moderator(database_url, Program(ended.server))
    report = {"username": ended.finch.username, "reason": "spam", "place": place}
    assert ended.wren.http.post("/reports", json=report).status_code == 201
    removal = {"username": ended.finch.username, "action": "remove_text", "subject": place, "reason": "Ads"}
    assert moderator.http.post("/moderation/actions", json=removal).status_code == 201
    assert ended.finch.username not in methods(ended)
    mute = {"username": ended.finch.username, "action": "mute", "reason": "Ads"}
    assert moderator.http.post("/moderation/actions", json=mute).status_code == 201
    assert_problem(describe(ended, ended.finch, "Again!"), 403, "muted")
