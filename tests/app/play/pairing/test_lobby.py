"""Searches in the lobby: who sees them, and who meets the player."""

import html
import json
import re
from datetime import timedelta

import pytest

from app.play.lobby.models import Challenge
from app.play.lobby.store import close_all
from app.play.pairing import queries
from tests.support.answers import code
from tests.support.database import execute, fetch, on_database
from tests.support.games import BLITZ
from tests.support.players import Program, Visitor
from tests.support.searches import SLOW, own, search, wanted
from tests.support.threads import at_once
from tests.support.waiting import WITHIN
from tests.support.web_processes import web_processes


@pytest.fixture
def one(server):
    """Return a program; what it looks for ends with the test."""
    program = Program(server)
    yield program
    program.http.delete("/me/search")


def listed(reader):
    return {each["player"]: each for each in reader.http.get("/searches").json()}


def choices(page, player):
    """Return the games at which a page offers to play a player: the values of its form."""
    row = re.search(rf'<li class="row-card" id="search-{player}">.*?</li>', page, re.DOTALL)
    values = re.findall(r'value="([^"]*)"', row[0]) if row else []
    return [html.unescape(value) for value in values if value.startswith("{")]


def accept(reader, player, game):
    return reader.http.post(f"/searches/{player}/accept", json=game)


def test_a_search_is_listed_and_accepted_at_one_of_its_games(server, one):
    search(one, wanted(11, 12, clocks=(BLITZ, SLOW)))
    other = Program(server)
    shown = listed(other)[one.username]
    assert shown["wanted"] == wanted(11, 12, clocks=(BLITZ, SLOW))
    game_id = accept(other, one.username, shown["wanted"][3]).json()["game_id"]
    assert own(one)["game_id"] == game_id
    game = other.snapshot(game_id)
    assert (game["options"], game["time_control"]) == ({"size": 12}, SLOW)
    assert one.username not in listed(other)
    assert code(accept(Program(server), one.username, shown["wanted"][0])) == (409, "challenge_closed")


def test_visitors_play_from_the_lobby_with_one_click(server, one, visitor):
    search(one, wanted(9, 10, game="jumping_farther"))
    page = visitor.http.get("/lobby").text
    sizes = [json.loads(choice)["options"]["size"] for choice in choices(page, one.username)]
    assert sizes == [9, 10]
    played = visitor.http.post(
        f"/pairing/{one.username}/accept", data={"wanted": choices(page, one.username)[1]}
    )
    assert played.url.path == f"/games/{own(one)['game_id']}"
    assert one.username not in visitor.http.get("/lobby").text


def test_searches_are_filtered_game_by_game(one, visitor):
    search(one, [*wanted(9), *wanted(9, game="jumping_farther", clocks=(SLOW, None))])
    for query, number in (
        ("", 3),
        ("game=jadejack", 1),
        ("clock=realtime", 2),
        ("clock=correspondence", 0),
        ("rated=yes", 0),
    ):
        page = visitor.http.get(f"/lobby?{query}").text
        assert len(choices(page, one.username)) == number, query


def test_only_who_fits_is_offered_a_search(server, one, visitor):
    fitting, blocked = Visitor(server).register(), Visitor(server).register()
    one.http.put(f"/players/{blocked.username}/block")
    for limits, by_members, by_visitors in (
        ({}, True, True),
        ({"rated": True}, True, False),
        ({"rating_min": 1450}, True, True),
        ({"rating_min": 1500, "rating_max": 1500, "rated": True}, True, False),
    ):
        search(one, wanted(9), **limits)
        seen = [
            bool(choices(each.http.get("/lobby").text, one.username)) for each in (fitting, visitor, blocked)
        ]
        assert seen == [by_members, by_visitors, False], limits


def test_who_does_not_fit_is_refused(server, one, database_url):
    other, blocked = Program(server), Program(server)
    one.http.put(f"/players/{blocked.username}/block")
    search(one, wanted(9), rating_min=1400, rating_max=1600)
    game = wanted(9)[0]
    assert one.username not in listed(blocked)
    assert code(accept(blocked, one.username, game)) == (409, "challenge_closed")
    assert code(accept(one, one.username, game)) == (403, "own_challenge")
    assert code(accept(other, one.username, wanted(10)[0])) == (409, "challenge_closed")
    assert code(accept(other, "nobody-at-all", game)) == (409, "challenge_closed")
    execute(
        database_url,
        "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games)"
        f" SELECT id, 'jadejack', 1900, 60, 0.06, 30 FROM accounts WHERE username = '{other.username}'",
    )
    assert code(accept(other, one.username, game)) == (403, "rating_out_of_range")
    assert own(one)["open"]


def test_of_many_who_accept_at_once_one_plays(server, one):
    search(one, wanted(9, 10))
    others = [Program(server) for _ in range(4)]
    games = wanted(9, 10) * 2
    answers = at_once(lambda number: accept(others[number], one.username, games[number]), range(len(others)))
    outcomes = sorted(answer.status_code for answer in answers)
    assert outcomes == [200, 409, 409, 409]
    [begun] = [answer.json()["game_id"] for answer in answers if answer.is_success]
    assert own(one)["game_id"] == begun


def test_the_lobby_shows_live_who_begins_and_stops_to_look(server, one, clock):
    visitor = Visitor(server)
    row = f'id="search-{one.username}"'

    def wait_for(is_shown):
        while (row in connection.recv(WITHIN)) is not is_shown:
            pass

    with visitor.live("/lobby/live") as connection:
        search(one, wanted(13))
        wait_for(is_shown=True)
        one.http.delete("/me/search")
        wait_for(is_shown=False)
        search(one, wanted(13))
        wait_for(is_shown=True)
        one.http.post("/games", json={"game": "up_and_up", "options": {"size": 7}})
        wait_for(is_shown=False)
        search(one, wanted(13))
        wait_for(is_shown=True)
        clock.advance(seconds=62)  # without a sign of life
        wait_for(is_shown=False)


def just_ended(database_url):
    async def read(database):
        async with database.reading_now() as session:
            return (await session.scalars(queries.just_ended(timedelta(seconds=10)))).all()

    return on_database(database_url, read)


def test_the_lobby_is_told_of_the_end_of_a_search_when_it_ends(server, one, database_url):
    account = fetch(database_url, "SELECT id FROM accounts WHERE username = $1", one.username)["id"]
    search(one, wanted(11))
    assert account not in just_ended(database_url)
    game_id = accept(Program(server), one.username, wanted(11)[0]).json()["game_id"]
    assert account in just_ended(database_url)
    execute(database_url, "UPDATE games SET created_at = now() - interval '1 minute' WHERE id = $1", game_id)
    end_now = "UPDATE searches SET until = now() - interval '1 second' WHERE account_id = $1"
    execute(database_url, end_now, account)
    assert account not in just_ended(database_url)
    search(one, wanted(11))
    execute(database_url, end_now, account)
    assert account in just_ended(database_url)


async def test_pairing_and_closing_look_at_more_challenges_than_the_lobby_lists(new_database):
    url = new_database("lobby")
    async with web_processes(url, 1) as [process]:
        game = await process.new_game()
    execute(
        url,
        "INSERT INTO challenges (id, game, options, kind, maker_id, side, status) "
        "SELECT 'c' || n, 'jadejack', '{\"size\": 9}', 'open', $1, 'random', 'open' "
        "FROM generate_series(1, 101) n",
        game.players[0].id,
    )

    async def offered(database):
        async with database.reading_now() as session:
            return await queries.offers_of_lobby(session)

    async def closed(database):
        async with database.transaction() as session:
            return await close_all(session, "expired", Challenge.kind == "open")

    assert [len(on_database(url, work)) for work in (offered, closed)] == [101, 101]
