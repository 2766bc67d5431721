"""Clocks that are wrong end no game, and a move and a flag at the same moment have one outcome."""

import asyncio
import time
from datetime import datetime
from functools import partial

import pytest

from app.play.games import creation
from engine.clock import Realtime
from tests.faults.cluster import FakeTime, Web
from tests.faults.scale import TIMES
from tests.support import plain_http
from tests.support.accounts import id_of
from tests.support.database import execute, fetch, on_database
from tests.support.players import Program
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until

HOUR = 3600
SCHEDULES_RUN = """
SELECT last_run BETWEEN now() - interval '1 minute' AND now() AS run
FROM pgqueuer_schedules WHERE entrypoint = 'conduct_ladders'
"""
LEFT = 3000  # milliseconds on each clock, in the games whose flags fall
RACES = 20 * TIMES
_LATE = 0.02  # seconds after the deadline at which no move is accepted any more
_PAUSED = 2.0  # seconds; if the machine of the tests slept that long, the servers gave the time back


@pytest.fixture
def clock(tmp_path_factory):
    """Return the clock of one server, or of PostgreSQL."""
    folder = tmp_path_factory.mktemp("clock")
    folder.chmod(0o755)
    return FakeTime(folder)


def test_a_move_at_the_deadline_and_the_flag_have_one_outcome(postgres, servers):
    black, white = Program(servers[0]), Program(servers[1])
    games = games_with_little_time(postgres.url, [black, white], RACES)
    run_coroutine(race_the_flags(games, black, white))
    for game in games:
        # White's flag falls where Black's did not.
        here, there = (wait_until(partial(over, program, game)) for program in (black, white))
        assert here["result"]["termination"] == "time"
        assert [here["moves"], here["result"]] == [there["moves"], there["result"]]


def test_a_server_whose_clock_steps_ends_no_game(postgres, servers, clock, play, tmp_path):
    stepping = Web(postgres.url, tmp_path / "log", preloads=clock.environment)
    stepping.start()
    try:
        with play(postgres, [stepping, servers[0]]) as load:
            for step in (HOUR, -HOUR, 0):
                clock.step(step)
                wait_until(lambda: not stepping.is_ready())  # it says that a clock is wrong
                load.wait_until_whole()
                wait_until(stepping.is_ready)
    finally:
        stepping.close()


def test_a_database_whose_clock_steps_ends_no_game_and_schedules_go_on(postgres, servers, clock, play):
    postgres.stop()
    postgres.start(**clock.environment)
    try:
        with play(postgres, servers) as load:
            for step in (HOUR, -HOUR, 0):
                clock.step(step)
                load.play_for(3)
                load.wait_until_whole()
                wait_until(lambda: fetch(postgres.url, SCHEDULES_RUN)["run"])
    finally:
        postgres.stop()
        postgres.start()


def games_with_little_time(database_url, programs, number):
    """Start games in which each side has `LEFT` milliseconds, and return their ids."""
    players = [id_of(database_url, program) for program in programs]
    control = Realtime(limit=60, increment=0)

    async def create(database):
        async with database.transaction() as session:
            return [
                await creation.create(session, "jadejack", {"size": 9}, players, control=control)
                for _ in range(number)
            ]

    games = on_database(database_url, create)
    execute(database_url, "UPDATE games SET clock_left = $2 WHERE id = ANY($1)", games, [LEFT, LEFT])
    return games


def over(program, game):
    """Return a game as a program sees it when it is over, or None."""
    snapshot = program.snapshot(game)
    return snapshot if snapshot["result"] else None


async def race_the_flags(games, black, white):
    """Let Black's second move reach the server when its flag falls, in each game a little later."""
    few = asyncio.Semaphore(5)

    async def race(game, delay):
        async with few:
            await race_the_flag(http, game, black, white, delay)

    async with plain_http.AsyncClient(timeout=WITHIN) as http:
        delays = [(number - len(games) / 2) / 1000 for number in range(len(games))]
        await asyncio.gather(*map(race, games, delays))


async def race_the_flag(http, game, black, white, delay):
    await move(http, black, game, "c4", 0)
    opened = await move(http, white, game, "g6", 1)
    deadline = datetime.fromisoformat(opened.json()["deadline"]).timestamp()
    await asyncio.sleep(max(0, deadline + delay - time.time()))
    sent_at = time.time()
    answer = await move(http, black, game, "d4", 2)
    if answer.status_code == 200:
        assert answer.json()["moves"] == ["c4", "g6", "d4"]
        late = sent_at - deadline
        assert late < _LATE or late > _PAUSED
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "game_over")
        assert answer.json()["snapshot"]["result"]["winner"] == "white"


async def move(http, program, game, text, ply):
    return await http.post(
        f"{program.server.url}/api/v1/games/{game}/moves",
        json={"move": text, "ply": ply, "move_id": f"00000000-0000-4000-8000-{ply:012}"},
        headers=program.http.headers,
    )
