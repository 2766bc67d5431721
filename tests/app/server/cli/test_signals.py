"""A command that is told to end stops what it has started."""

import os
import signal

import pytest

from tests.support.database import connected, fetch
from tests.support.launching import Command
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until

ENDED = 128 + signal.SIGTERM
DUMPING = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump' AND datname = $1"
# Between two statements PostgreSQL ignores a cancellation.
WAITING = f"{DUMPING} AND wait_event_type = 'Lock'"

READING = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'"


@pytest.fixture
def environment():
    return {name: value for name, value in os.environ.items() if name != "GORRION_DATABASE_URL"}


def test_a_backup_that_is_told_to_end_leaves_no_program_and_no_file(new_database, environment, tmp_path):
    url = new_database("told_to_end")

    async def end_while_it_waits():
        async with connected(url) as connection, connection.transaction():
            await connection.execute("LOCK TABLE games")
            name = await connection.fetchval("SELECT current_database()")
            command = Command(
                ["backup", str(tmp_path / "backup")], environment | {"GORRION_DATABASE_URL": url}
            )
            wait_until(lambda: fetch(url, WAITING, name)[0])
            command.send_signal(signal.SIGTERM)
            assert command.wait(WITHIN) == ENDED
            wait_until(lambda: not fetch(url, DUMPING, name)[0])

    run_coroutine(end_while_it_waits())
    assert list(tmp_path.iterdir()) == []


def test_a_check_of_all_games_that_is_told_to_end_does_so(new_database, environment):
    url = new_database("checked")

    async def end_while_it_waits():
        async with connected(url) as connection, connection.transaction():
            await connection.execute("LOCK TABLE games")
            name = await connection.fetchval("SELECT current_database()")
            command = Command(["check-games"], environment | {"GORRION_DATABASE_URL": url})
            wait_until(lambda: fetch(url, READING, name)[0])
            command.send_signal(signal.SIGTERM)
            assert command.wait(WITHIN) == ENDED

    run_coroutine(end_while_it_waits())


def test_a_command_that_is_told_to_end_while_postgresql_starts_stops_it(environment, tmp_path):
    (tmp_path / "backup").touch()
    command = Command(["restore", str(tmp_path / "backup"), "--data", str(tmp_path / "data")], environment)
    wait_until((tmp_path / "data" / "postgres" / "log").exists)
    command.send_signal(signal.SIGTERM)
    assert command.wait(WITHIN) == ENDED
    assert not (tmp_path / "data" / "postgres" / "postmaster.pid").exists()


def test_a_search_in_threads_that_is_told_to_end_does_so(environment, tmp_path):
    bounds = tmp_path / "bounds"
    command = Command(["solve-round", "--size", "6"], environment, stderr=str(bounds))
    wait_until(lambda: bounds.exists() and "positions" in bounds.read_text(), within=60)
    command.send_signal(signal.SIGTERM)
    assert command.wait(WITHIN) == ENDED
