"""Every live page: what changes after it was drawn and before its connection listens is shown."""

import html
import re
from datetime import timedelta

import pytest
from starlette.routing import compile_path

from app.core.moments import utc_now
from app.server.features import FEATURES
from tests.support.database import execute
from tests.support.games import BLITZ, lost_rated_game, post
from tests.support.ladders import Climbers
from tests.support.nugget import hide_boards, new_record
from tests.support.nugget_searches import FIRST, Reporting
from tests.support.players import Match, Program, fresh_name, make_old
from tests.support.tournaments import BULLET, member
from tests.support.waiting import WITHIN

ROUTES = [route.path for feature in FEATURES for router in feature.routers("live") for route in router.routes]


class Reader:
    """A program, and a browser in which it is logged in."""

    def __init__(self, server):
        self.server = server
        self.program = Program(server)
        self.visitor = member(server, self.program.username)

    def offer(self, **members):
        return self.program.challenge(**members).json()["id"]


def game(reader):
    match = Match(reader.server)

    def play():
        match.play("c4")
        return "?ply=1"

    return f"/games/{match.id}", play


def games_at(path):
    def example(reader):
        def begin():
            execute(reader.server.database_url, "UPDATE games SET status = 'aborted', ended_at = now()")
            match = Match(reader.server)
            match.play("c4", "f6", "d4", "f5", "e4", "f4", "c5", "f3")
            return match.black.username

        begin()
        return path, begin

    return example


def ladder(reader):
    execute(reader.server.database_url, "DELETE FROM ladder_players")
    return "/ladders/jadejack", lambda: Climbers(reader.server, 1).programs[0].username


def lobby(reader):
    def offer():
        maker = Program(reader.server)
        assert maker.challenge().status_code == 201
        return maker.username

    return "/lobby", offer


def search(reader):
    wanted = {"game": "jumping_farther", "options": {"size": 12}, "time_control": BLITZ}

    def look(player):
        answer = player.http.put("/me/search", json={"wanted": [wanted]})
        assert answer.is_success, answer.text
        return answer.json()["game_id"]

    look(reader.program)
    return "/pairing", lambda: look(Program(reader.server))


def challenge(reader):
    challenge = reader.offer(opponent="link")
    accept = f"/challenges/{challenge}/accept"
    return f"/challenges/{challenge}", lambda: post(Program(reader.server), accept).json()["game_id"]


def friends(reader):
    def follow():
        friend = Program(reader.server).username
        assert reader.program.http.put(f"/players/{friend}/follow").is_success
        return friend

    follow()
    return "/", follow


def thread(reader):
    other = Program(reader.server)

    def write():
        text = fresh_name("Greetings")
        assert post(other, f"/messages/{reader.program.username}", text=text).status_code == 201
        return text

    write()
    return f"/messages/{other.username}", write


def account(reader):
    def challenge():
        other = Program(reader.server)
        assert other.challenge(opponent=reader.program.username).status_code == 201
        return other.username

    return "/teams", challenge


def ranking(reader):
    hide_boards(reader.server.database_url)

    def enter():
        assert post(reader.program, "/nugget/entries", boards=new_record(9)).status_code == 201
        return f"/players/{reader.program.username}"

    return "/leaderboards/golden_nugget", enter


def records_at(path):
    def records(reader):
        url = reader.server.database_url
        hide_boards(url)
        # Otherwise a schedule finds the records of earlier tests again.
        execute(url, "UPDATE nugget_entries SET withdrawn_at = now() WHERE withdrawn_at IS NULL")
        execute(url, "DELETE FROM nugget_record_changes")

        def beat():
            assert post(reader.program, "/nugget/entries", boards=new_record(8)).status_code == 201
            return f"{reader.program.username} set the first record over 20 boards"

        return path, beat

    return records


def searches(reader):
    reporting = Reporting(reader.server.database_url)

    def report():
        return f"search-{reporting.begin(FIRST)}"

    return "/nugget/solver", report


def race(reader):
    made = post(reader.program, "/races", game="up_and_up", options={"size": 8}, minutes=10).json()["id"]

    def join():
        other = Program(reader.server)
        assert post(other, f"/races/{made}/join").is_success
        return other.username

    return f"/races/{made}", join


def study(reader):
    other = Program(reader.server)
    made = reader.offer(opponent=other.username, side="black")
    game = post(other, f"/challenges/{made}/accept").json()["game_id"]
    reader.program.move(game, "c4", 0)
    other.move(game, "g6", 1)
    assert post(other, f"/games/{game}/resign").is_success
    board = reader.visitor.http.post(f"/games/{game}/together").url.path

    def play():
        other_browser = member(reader.server, other.username)
        page = other_browser.http.post(board, data={"at": "0", "move": "d4"})
        return re.search(r'data-shown="[^"]+"', page.text)[0]

    return board, play


def team(reader):
    leader = Program(reader.server)
    lost_rated_game(Program(reader.server), leader)
    make_old(reader.server.database_url, leader)
    made = post(leader, "/teams", name=fresh_name("Team"), join="open").json()["id"]
    assert post(reader.program, f"/teams/{made}/join", text="").is_success

    def say():
        text = fresh_name("Words")
        assert post(leader, f"/teams/{made}/chat", text=text).status_code == 201
        return text

    return f"/teams/{made}", say


def cup(reader):
    """Return the name and the id of a new tournament."""
    name = fresh_name("Cup")
    organiser = Program(reader.server)
    made = post(
        organiser,
        "/tournaments",
        name=name,
        kind="swiss",
        rounds=3,
        game="jadejack",
        options={"size": 8},
        time_control=BULLET,
        starts_at=(utc_now() + timedelta(minutes=5)).isoformat(),
    )
    assert made.status_code == 201, made.text
    return name, made.json()["id"]


def cups(reader):
    execute(reader.server.database_url, "UPDATE tournaments SET status = 'cancelled'")
    return "/tournaments", lambda: cup(reader)[0]


def one_cup(reader):
    _, made = cup(reader)

    def join():
        other = Program(reader.server)
        assert post(other, f"/tournaments/{made}/join").is_success
        return other.username

    return f"/tournaments/{made}", join


# The address of a page of each kind, and what changes it and returns a text that the page then shows.
EXAMPLES = {
    "/account/live": account,
    "/challenges/{challenge_id:id}/live": challenge,
    "/home/live": friends,
    "/games/{game_id:id}/live": game,
    "/ladders/{game:game}/live": ladder,
    "/leaderboards/golden_nugget/live": ranking,
    "/lobby/live": lobby,
    "/messages/{username}/live": thread,
    "/nugget/records/live": records_at("/nugget/records"),
    "/nugget/records/changes/live": records_at("/nugget/records/changes"),
    "/nugget/solver/live": searches,
    "/pairing/live": search,
    "/races/{race_id:id}/live": race,
    "/studies/{study_id:id}/live": study,
    "/teams/{team_id:id}/live": team,
    "/tournaments/live": cups,
    "/tournaments/{tournament_id:id}/live": one_cup,
    "/watch/featured/live": games_at("/"),
    "/watch/live": games_at("/watch"),
}


@pytest.mark.parametrize("route", ROUTES)
def test_what_changed_before_a_page_listens_is_shown(server, route):
    reader = Reader(server)
    path, change = EXAMPLES[route](reader)
    page = reader.visitor.http.get(path).text
    addresses = map(html.unescape, re.findall(r'data-hx-ws-connect="([^"]+)"', page))
    pattern = compile_path(route)[0]
    [address] = [each for each in addresses if pattern.match(each.partition("?")[0])]
    text = change()
    assert text not in page
    with reader.visitor.live(address) as connection:
        while text not in connection.recv(WITHIN):
            pass
