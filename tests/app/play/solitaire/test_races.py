"""Races: several players, each alone on a board until the same deadline."""

import re
from datetime import datetime, timedelta

import pytest

from tests.support.answers import code
from tests.support.database import execute
from tests.support.forms import sent_by
from tests.support.players import Program, Visitor
from tests.support.solitaire import begin, play, random_games
from tests.support.threads import at_once
from tests.support.waiting import WITHIN


@pytest.fixture
def race(program):
    body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5}
    made = program.http.post("/races", json=body)
    assert made.status_code == 201, made.text
    return made.json()


def join(program, race):
    answer = program.http.post(f"/races/{race['id']}/join")
    assert answer.status_code == 200, answer.text
    return answer.json()["game_id"]


def test_each_plays_alone_and_the_best_score_wins(program, other, race, clock):
    games = random_games("up_and_up", 4)
    mine, theirs = join(program, race), join(other, race)
    assert [join(program, race), join(other, race)] == [mine, theirs]  # joining again changes nothing
    (low, high) = min(games), max(games)
    play(program, mine, games[low])
    play(other, theirs, games[high][:-1])
    clock.advance(minutes=5)
    table = program.http.get(f"/races/{race['id']}").json()
    assert table["is_over"] is True
    ranks = [(row["rank"], row["username"], row["points"]) for row in table["racers"]]
    reached = high[0] - 1
    expected = sorted([(low[0], program.username), (reached, other.username)], reverse=True)
    assert [(name, points) for _, name, points in ranks] == [(name, points) for points, name in expected]
    refused = other.move(theirs, games[high][-1], len(games[high]) - 1)  # the race is over
    assert code(refused) == (409, "game_over")
    over = other.snapshot(theirs)
    assert (over["status"], over["result"]["termination"]) == ("finished", "time")
    assert over["result"]["score"]["solo"] == reached


def test_boards_are_hidden_until_it_is_over(program, other, race, clock):
    mine = join(program, race)
    program.move(mine, "b2", 0)
    visitor = Visitor(other.server)
    pages = [f"/games/{mine}{path}" for path in ("", "/about", "/record.txt", "/board.svg")]
    for path in ("", "/export", "/stream"):
        assert other.http.get(f"/games/{mine}{path}").status_code == 404
    assert [visitor.http.get(page).status_code for page in pages] == [404] * 4
    assert program.snapshot(mine)["moves"] == ["b2"]
    clock.advance(minutes=5)
    assert other.snapshot(mine)["moves"] == ["b2"]
    assert [visitor.http.get(page).status_code for page in pages] == [200] * 4


def test_nobody_joins_a_race_that_is_over(other, race, clock):
    clock.advance(minutes=5)
    assert code(other.http.post(f"/races/{race['id']}/join")) == (409, "race_over")
    assert race["id"] not in [open_race["id"] for open_race in other.http.get("/races").json()]


def test_moves_of_a_race_cannot_be_undone_and_scores_are_submitted_afterwards(program, race, clock):
    mine = join(program, race)
    moves = next(iter(random_games("up_and_up", 4).values()))
    play(program, mine, moves)
    assert code(program.http.post(f"/games/{mine}/takeback")) == (409, "race_stands")
    assert code(program.http.post(f"/games/{mine}/submit")) == (409, "race_under_way")
    clock.advance(minutes=5)
    assert program.http.post(f"/games/{mine}/submit").json()["submitted"] is True


def test_invalid_races_are_refused(program, race):
    for body, expected in (
        ({"game": "jadejack", "minutes": 5}, (422, "not_solitaire")),
        ({"game": "up_and_up", "minutes": 7}, (422, "bad_minutes")),
        ({"game": "up_and_up", "minutes": 5, "options": {"size": 13}}, (422, "bad_options")),
    ):
        assert code(program.http.post("/races", json=body)) == expected
    for _ in range(4):
        assert program.http.post("/races", json={"game": "up_and_up", "minutes": 5}).status_code == 201
    full = program.http.post("/races", json={"game": "up_and_up", "minutes": 5})
    assert code(full) == (409, "too_many_races")
    assert code(program.http.get("/races/nowhere")) == (404, "not_found")
    assert code(program.http.post("/races/nowhere/join")) == (404, "not_found")


def test_joining_several_times_at_once_makes_one_board(other, race):
    ids = at_once(lambda _: join(other, race), range(4))
    assert len(set(ids)) == 1


def test_a_race_waits_until_its_maker_starts_it(program, other, server, clock):
    body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5, "starts": "later"}
    made = program.http.post("/races", json=body).json()
    path = f"/races/{made['id']}"
    assert (made["is_waiting"], made["racers"]) == (True, [])
    assert other.http.post(f"{path}/join").json() == {"game_id": None}
    waiting = [{"username": each.username} for each in (program, other)]
    assert other.http.get(path).json()["waiting"] == waiting
    assert code(other.http.post(f"{path}/start")) == (403, "not_yours")
    clock.advance(minutes=30)
    started = program.http.post(f"{path}/start").json()
    assert (started["is_waiting"], started["waiting"]) == (False, [])
    assert [racer["username"] for racer in started["racers"]] == [program.username, other.username]
    players = (program, other, Program(server))  # of whom one comes late
    games = [join(each, made) for each in players]
    end = datetime.fromisoformat(started["ends_at"])
    for each, game in zip(players, games, strict=True):
        deadline = datetime.fromisoformat(each.snapshot(game)["deadline"])
        assert abs(deadline - end) < timedelta(milliseconds=10)
    assert code(program.http.post(f"{path}/start")) == (409, "race_started")


def test_a_race_that_nobody_starts_is_given_up(program, other, clock):
    body = {"game": "up_and_up", "minutes": 5, "starts": "later"}
    race = program.http.post("/races", json=body).json()
    clock.advance(hours=1)
    assert code(program.http.post(f"/races/{race['id']}/start")) == (409, "race_over")
    assert code(other.http.post(f"/races/{race['id']}/join")) == (409, "race_over")
    over = other.http.get(f"/races/{race['id']}").json()
    assert (over["is_waiting"], over["is_over"]) == (False, True)


def test_a_race_that_waits_can_be_left_and_its_maker_gives_it_up(program, server, clock):
    body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5, "starts": "later"}
    path = f"/races/{program.http.post('/races', json=body).json()['id']}"
    other = Visitor(server)
    assert "Leave the race" in other.http.post(f"{path}/join").text
    left = other.http.post(f"{path}/leave").text
    assert ("Join the race" in left, "Leave the race" in left) == (True, False)
    assert other.http.post(f"{path}/leave").status_code == 200  # by a second click
    assert [each["username"] for each in program.http.get(path).json()["waiting"]] == [program.username]
    other.http.post(f"{path}/join")
    assert "Give the race up" in Visitor(server).log_in(program.username).http.get(path).text
    assert program.http.post(f"{path}/leave").status_code == 204
    given_up = other.http.get(path).text
    assert "This race was not started." in given_up
    assert re.findall("(?:Join|Leave) the race|your board opens here", given_up) == []
    assert code(program.http.post(f"{path}/start")) == (409, "race_over")
    assert code(program.http.post(f"{path}/leave")) == (409, "race_over")


def test_nobody_leaves_a_race_that_has_started(program, race):
    mine = join(program, race)
    assert code(program.http.post(f"/races/{race['id']}/leave")) == (409, "race_started")
    assert join(program, race) == mine


@pytest.mark.parametrize("kind", ["race", "own board", "given up"])
def test_a_review_is_offered_exactly_when_it_can_be_asked_for(program, server, clock, race, kind):
    game = join(program, race) if kind == "race" else begin(program, "up_and_up", 4)
    readers = Visitor(server).log_in(program.username), Visitor(server).register()

    def check():
        for reader in readers:
            if (page := reader.http.get(f"/games/{game}")).status_code == 404:
                continue  # it is private
            is_refused = reader.http.post(f"/games/{game}/review").status_code == 409
            assert is_refused == (f'href="/games/{game}/review"' not in page.text)
            offer = "Start the review" in reader.http.get(f"/games/{game}/review").text
            assert not (is_refused and offer)
        return not is_refused

    moves = next(iter(random_games("up_and_up", 4).values()))
    play(program, game, moves[:-1])
    if kind == "given up":
        program.http.post(f"/games/{game}/resign")
        assert check()
        return
    assert not check()
    play(program, game, moves[-1:], len(moves) - 1)
    assert kind == "race" or not check()
    clock.advance(minutes=5)
    if kind != "race":
        assert program.http.post(f"/games/{game}/submit").status_code == 200
    assert check()


def test_those_who_wait_are_sent_to_their_boards(visitor, server):
    race = visitor.http.post("/races", data={"game": "up_and_up", "size": "4", "minutes": "5"}).url.path
    other = Visitor(server)
    assert "your board opens here" in other.http.post(f"{race}/join").text
    with other.live(f"{race}/live") as page:
        assert "2 players are here" in re.sub(r"\s+", " ", page.recv(WITHIN))
        assert "/games/" in visitor.http.post(f"{race}/start").url.path
        game = re.search("/games/\\w+", other.http.get(race).text)[0]
        assert page.recv(WITHIN) == f'{{"visit":"{game}"}}'


def test_a_race_is_played_by_forms(visitor, server, clock):
    page = visitor.http.post("/races", data={"game": "up_and_up", "size": "4", "minutes": "5"})
    race = page.url.path
    assert "Start the race" in page.text
    visitor.http.post(f"{race}/start")
    other = Visitor(server)
    assert "Join the race" in other.http.get(race).text
    board = other.http.post(f"{race}/join")
    assert board.url.path.startswith("/games/")
    assert f"{board.url.path}/race" in board.text
    assert other.http.get(f"{board.url.path}/race").url.path == race
    assert race in other.http.get("/solitaire").text
    clock.advance(minutes=5)
    over = other.http.get(race).text
    assert "The race is over" in over
    like_it = other.http.post("/races", data=sent_by(over, "/races")).text
    assert "Race at Up And Up 4×4" in like_it
    assert "It lasts 5 minutes" in like_it
    late = Visitor(server)
    assert late.http.post(f"{race}/join").status_code == 409
    assert late.http.post("/races", data={"game": "up_and_up", "minutes": "soon"}).status_code == 422


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_race_whose_maker_is_gone_is_started_by_any_of_its_players(program, other, database_url, is_closed):
    path = (
        Visitor(program.server)
        .http.post("/races", data={"game": "up_and_up", "size": "4", "minutes": "5"})
        .url.path
    )
    race = {"id": path.rpartition("/")[2]}
    assert join(program, race) is None
    assert code(program.http.post(f"{path}/start")) == (403, "not_yours")
    maker = "SELECT maker_id FROM races WHERE id = $1"
    if is_closed:
        query = f"UPDATE accounts SET closed_at = now() WHERE id = ({maker})"
    else:  # a guest whose browser has forgotten it
        query = f"DELETE FROM sessions WHERE account_id = ({maker})"
    execute(database_url, query, race["id"])
    assert code(other.http.post(f"{path}/start")) == (403, "not_yours")  # who does not take part
    started = program.http.post(f"{path}/start")
    assert started.status_code == 200, started.text
    assert program.username in [racer["username"] for racer in started.json()["racers"]]


def test_who_was_away_at_the_start_of_a_race_joins_it_later(program, other, database_url):
    body = {"game": "up_and_up", "options": {"size": 4}, "minutes": 5, "starts": "later"}
    race = program.http.post("/races", json=body).json()
    assert join(other, race) is None
    close = "UPDATE accounts SET closed_at = {} WHERE username = $1"
    execute(database_url, close.format("now()"), other.username)
    assert program.http.post(f"/races/{race['id']}/start").status_code == 200
    execute(database_url, close.format("NULL"), other.username)  # as by logging in again
    assert program.http.get(f"/races/{race['id']}").json()["waiting"] == []
    assert "data-table" in Visitor(program.server).http.get(f"/races/{race['id']}").text
    assert join(other, race) is not None
    assert len(program.http.get(f"/races/{race['id']}").json()["racers"]) == 2
