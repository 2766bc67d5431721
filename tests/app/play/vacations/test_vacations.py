"""Vacations: the clocks that stop for them, and what others see."""

import asyncio
import uuid
from contextlib import asynccontextmanager
from datetime import datetime

import pytest

from app.core.moments import from_datetime, now
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.play.vacations import service
from app.play.vacations.decisions import DAY
from app.play.vacations.service import Vacations
from engine.clock import Correspondence, DaysBank
from tests.support.answers import code
from tests.support.players import Match, Visitor
from tests.support.web_processes import web_processes

HOUR = 60 * 60 * 1000
DAYS = {"kind": "correspondence", "days": 3}


def deadline(program, game_id):
    return from_datetime(datetime.fromisoformat(program.snapshot(game_id)["deadline"]))


def begin(program, days):
    answer = program.http.post("/me/vacation", json={"days": days})
    assert answer.status_code == 200, answer.text
    return from_datetime(datetime.fromisoformat(answer.json()["until"]))


def test_the_clocks_of_correspondence_games_stop_and_run_again(server, clock):
    waiting, own = Match(server, time_control=DAYS), Match(server, time_control=DAYS)
    player = waiting.white
    mine = player.begin(own.black, side="black", time_control=DAYS)
    before = deadline(player, mine)
    assert player.http.get("/me/vacation").json() == {"until": None, "days_left": 7}
    until = begin(player, 5)
    assert deadline(player, mine) == before + 5 * DAY  # it is the player's turn
    snapshot = waiting.black.snapshot(waiting.id)
    assert snapshot["players"]["black"]["vacation_until"] is None
    assert from_datetime(datetime.fromisoformat(snapshot["players"]["white"]["vacation_until"])) == until
    with waiting.black.socket(waiting.id) as socket:
        waiting.play("c4")  # from now on it is the player's turn here as well
        assert socket.receive()["clock"] == {"black": 3 * DAY, "white": 3 * DAY}
    assert deadline(player, waiting.id) == until + 3 * DAY
    clock.advance(days=3, hours=23)
    assert player.snapshot(waiting.id)["clock"]["white"] == 3 * DAY
    ended = player.http.delete("/me/vacation")
    assert ended.json() == {"until": None, "days_left": 3}
    assert deadline(player, waiting.id) == pytest.approx(now() + 3 * DAY, abs=5_000)
    assert deadline(player, mine) == pytest.approx(before + 4 * DAY - HOUR, abs=5_000)
    assert player.http.delete("/me/vacation").json()["until"] is None
    waiting.play("f6")
    assert deadline(player, waiting.id) == pytest.approx(now() + 3 * DAY, abs=5_000)


def test_a_vacation_has_its_limits(server, clock, database_url):
    match = Match(server, time_control={"kind": "correspondence", "days": 1})
    player = match.black
    assert code(player.http.post("/me/vacation", json={"days": 0})) == (422, "invalid_request")
    refused = player.http.post("/me/vacation", json={"days": 8})
    assert (code(refused), refused.json()["days_left"]) == ((409, "not_enough_days"), 7)
    clock.advance(hours=23, minutes=1)
    refused = player.http.post("/me/vacation", json={"days": 1})
    assert (code(refused), refused.json()["game_id"]) == ((409, "too_late"), match.id)
    match.play("c4")
    begin(player, 1)
    assert code(player.http.post("/me/vacation", json={"days": 1})) == (409, "on_vacation")
    guest = Visitor(server)
    guest.http.post("/guest")
    assert guest.http.post("/account/vacation", data={"days": "1"}).status_code == 403


def test_new_games_stop_too_but_real_time_does_not(server):
    match = Match(server)
    player = match.white
    until = begin(player, 2)
    challenge = match.black.challenge(opponent=player.username, side="white", time_control=DAYS).json()["id"]
    game = player.http.post(f"/challenges/{challenge}/accept").json()["game_id"]
    assert deadline(player, game) == until + 3 * DAY
    fast = match.black.challenge(
        opponent=player.username, side="black", time_control={"kind": "realtime", "limit": 60, "increment": 0}
    )
    game = player.http.post(f"/challenges/{fast.json()['id']}/accept").json()["game_id"]
    match.black.move(game, "c4", 0)
    assert deadline(player, game) == pytest.approx(now() + 60_000, abs=5_000)
    assert player.snapshot(game)["players"]["black"]["vacation_until"] is None


def test_the_page_begins_and_ends_it_and_the_game_page_says_so(server):
    black, white = Visitor(server).register(), Visitor(server).register()
    made = black.http.post(
        "/challenges",
        data={
            "size": "9",
            "side": "black",
            "opponent_kind": "username",
            "opponent": white.username,
            "clock": "correspondence",
            "days": "3",
        },
    )
    game = white.http.post(f"{made.url.path}/accept").url.path
    assert "vacation" in white.http.get("/account").text
    assert white.http.post("/account/vacation", data={"days": "9"}).status_code == 409
    assert white.http.post("/account/vacation", data={"days": "x"}).status_code == 422
    assert "You are on vacation until" in white.http.post("/account/vacation", data={"days": "2"}).text
    assert f"{white.username} is on vacation until" in black.http.get(game).text
    assert "Go on vacation" in white.http.post("/account/vacation/end").text
    assert "is on vacation" not in black.http.get(game).text


class Process:
    """A web process with its vacations."""

    def __init__(self, process):
        self.games = process.games
        self.database = process.database
        self.new_game = process.new_game
        self.vacations = Vacations(process.database, process.games)

    async def play(self, state, move):
        state = await self.games.get(state.id)
        mover = state.player_to_move.id
        return await self.games.play_move(state.id, mover, move, state.ply, uuid.uuid4(), at=now())


@asynccontextmanager
async def two_processes(database_url):
    async with web_processes(database_url, 2) as processes:
        await asyncio.gather(*(process.games.timekeeper.beat() for process in processes))
        yield [Process(process) for process in processes]


def identity(player):
    return Identity(player.id, player.username, False, b"", frozenset())


async def test_another_process_stops_the_clocks_that_one_did_not_come_to(database_url, clock):
    async with two_processes(database_url) as (here, there):
        state = await here.new_game(control=Correspondence(3))
        black = state.players[0]
        assert (await there.games.get(state.id)).deadline == state.deadline
        async with here.database.transaction() as session:  # the process ends after this
            allowance = await service.allowance_of(session, black.id)
            await service.save(session, black.id, allowance.begun(2, now()))
        await there.vacations.catch_up()
        for process in (here, there):
            after = await process.games.get(state.id)
            assert after.deadline == state.deadline + 2 * DAY
            assert after.players[0].vacation is not None
        version = after.version
        await there.vacations.catch_up()
        assert (await here.games.get(state.id)).version == version
        await asyncio.to_thread(clock.advance, days=3)  # the vacation is over by itself
        after = await here.play(after, "c4")
        assert after.moves[0].spent == pytest.approx(DAY, abs=10_000)


async def test_many_games_stop_while_moves_are_played(database_url):
    async with two_processes(database_url) as (here, there):
        first = await here.new_game(control=DaysBank(3, 1, 7))
        players = [player.id for player in first.players]
        games = [await here.new_game(control=DaysBank(3, 1, 7), players=players) for _ in range(24)]
        beginning = here.vacations.begin(identity(first.players[1]), 7)
        allowance, *_ = await asyncio.gather(beginning, *(there.play(state, "c4") for state in games))
        vacation = allowance.vacation
        for state in games:
            after = await there.games.get(state.id)
            assert (after.ply, after.clock.running) == (1, 1)
            assert after.clock.stop == vacation
            assert after.deadline == vacation[1] + 3 * DAY - max(0, vacation[0] - after.clock.since)
        again = await here.vacations.end(identity(first.players[1]))
        for state in games:
            assert (await there.games.get(state.id)).clock.stop == again.vacation


async def test_a_vacation_that_ends_while_it_is_being_set_does_not_come_back(database_url, monkeypatch):
    async with two_processes(database_url) as (here, there):
        state = await here.new_game(control=Correspondence(3))
        is_setting, has_ended = asyncio.Event(), asyncio.Event()
        set_vacation = here.games.set_vacation

        async def set_late(*arguments):
            is_setting.set()
            await has_ended.wait()
            await set_vacation(*arguments)

        monkeypatch.setattr(here.games, "set_vacation", set_late)
        beginning = asyncio.create_task(here.vacations.begin(identity(state.players[0]), 5))
        await is_setting.wait()
        ended = await there.vacations.end(identity(state.players[0]))
        has_ended.set()
        await beginning
        assert (await there.games.get(state.id)).clock.stop == ended.vacation


async def test_a_second_vacation_during_one_turn_adds_to_the_first(database_url, clock):
    async with two_processes(database_url) as (here, there):
        state = await here.new_game(control=Correspondence(14, weekends_off=True))
        black = state.players[0]
        for _ in range(2):
            await here.vacations.begin(identity(black), 1)
            before = (await there.games.get(state.id)).clock.read(now())[0]
            await asyncio.to_thread(clock.advance, days=1)
            after = (await there.games.get(state.id)).clock.read(now())[0]
            assert after == pytest.approx(before, abs=10_000)
            await asyncio.to_thread(clock.advance, days=2)


async def test_no_game_begins_with_a_running_clock_while_a_vacation_begins(database_url):
    async with two_processes(database_url) as (here, there):
        async with here.database.transaction() as session:
            accounts = [Account(username=f"holiday-{uuid.uuid4()}", password_hash="none") for _ in range(2)]
            session.add_all(accounts)
        for _ in range(5):
            allowance, state = await asyncio.gather(
                here.vacations.begin(identity(accounts[0]), 1),
                there.new_game(control=Correspondence(3), players=[account.id for account in accounts]),
            )
            after = await there.games.get(state.id)
            assert after.clock.stop == allowance.vacation
            await here.vacations.end(identity(accounts[0]))
