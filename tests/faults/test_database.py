"""PostgreSQL is killed, restarted, paused and cut off: the servers wait for it and continue by themselves."""

import asyncio
import contextlib
import os
import signal
import time

import asyncpg
import psutil
from sqlalchemy import text

from app.core.database.session import Database
from tests.faults.cluster import Web
from tests.faults.scale import AWAY, CUTS, TIMES
from tests.support import plain_http
from tests.support.players import Match, Program
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until

CUT_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name <> 'stranger'"


def test_postgres_is_killed(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(TIMES):
            postgres.kill()
            postgres.start()
            load.wait_until_whole()


def test_one_connection_of_postgres_is_killed_and_all_start_again(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(TIMES):
            postgres.crash()
            load.wait_until_whole()


def test_postgres_is_restarted(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(TIMES):
            postgres.stop()
            postgres.start()
            load.wait_until_whole()


def test_postgres_is_away_for_a_while(postgres, servers, play):
    program = Program(servers[0])
    game = program.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
    with play(postgres, servers) as load:
        postgres.stop()
        wait_until(lambda: not any(server.is_ready() for server in servers))
        acks = load.acks
        refused = program.move(game, "c4", 0)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        load.play_for(AWAY)
        assert load.acks == acks
        postgres.start()
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))


def test_postgres_is_paused(postgres, servers, play):
    program = Program(servers[0])
    game = program.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
    with play(postgres, servers) as load:
        postgres.pause()
        try:
            load.play_for(1)  # what was committed before
            acks = load.acks
            started = time.monotonic()
            assert program.move(game, "c4", 0).status_code == 503
            assert time.monotonic() - started < 15
            ready = plain_http.get(f"{servers[1].url}/health/ready", timeout=WITHIN)
            assert ready.status_code == 503
            assert load.acks == acks
        finally:
            postgres.resume()
        load.wait_until_whole()


def test_a_process_that_ends_while_postgres_is_paused_closes_its_connections(postgres):
    async def begin_and_end():
        database = await Database.open(postgres.url, pool_size=1)
        async with database.transaction() as session:
            await session.execute(text("SELECT 1"))
        postgres.pause()
        await database.close()

    before = connections_to(postgres)
    try:
        run_coroutine(begin_and_end())
    finally:
        postgres.resume()
    assert connections_to(postgres) <= before


def connections_to(postgres):
    """Return the local ports of the connections of this process to PostgreSQL."""
    mine = psutil.Process().net_connections("tcp")
    return {connection.laddr.port for connection in mine if connection.raddr[1:] == (postgres.port,)}


def test_connections_are_cut_again_and_again(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(CUTS):
            postgres.cut()
            load.play_for(1.5)
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))


def test_strangers_take_all_connections(postgres, servers, play):
    with play(postgres, servers) as load:
        run_coroutine(take_all_connections(postgres, seconds=5))
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))


def test_the_embedded_postgres_is_started_again(tmp_path):
    server = Web("", tmp_path / "log", data=str(tmp_path / "data"))
    server.start()
    try:
        match = Match(server)
        match.play("c4")
        os.kill(int((tmp_path / "data/postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        wait_until(lambda: not server.is_ready())
        wait_until(server.is_ready)
        assert match.play("g6")["moves"] == ["c4", "g6"]
    finally:
        server.close()


async def take_all_connections(postgres, seconds):
    """Cut all connections and take every free one for a while."""
    until, refused = time.monotonic() + seconds, 0
    async with contextlib.AsyncExitStack() as stack:
        while not refused or time.monotonic() < until:
            try:
                taken = await asyncpg.connect(postgres.url, server_settings={"application_name": "stranger"})
            except asyncpg.TooManyConnectionsError:
                refused += 1
                await asyncio.sleep(0.1)
            else:
                stack.push_async_callback(taken.close)
                await taken.execute(CUT_OTHERS)
