"""A replica from which pages are read: what is on it is a little old at most, and nobody depends on it."""

import re

import asyncpg
import pytest
import yaml

from app.core.settings import Settings
from app.server.operations.doctor import examine_database
from tests.faults.cluster import Web
from tests.faults.pages import visitor
from tests.project.files import read
from tests.support import plain_http
from tests.support.database import fetch
from tests.support.players import PlayingPage, Visitor
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

BEHIND = 5  # seconds


@pytest.fixture
def replica(postgres):
    replica = postgres.replica(slot="replica")
    replica.start()
    yield replica
    replica.close()
    wait_until(lambda: not fetch(postgres.url, "SELECT active FROM pg_replication_slots")[0])
    postgres.execute("SELECT pg_drop_replication_slot('replica')")


@pytest.fixture
def web(postgres, replica, tmp_path):
    """Return a server that reads from the replica."""
    web = Web(
        postgres.url, tmp_path / "log", database_replica_url=replica.url, database_replica_behind=str(BEHIND)
    )
    web.start()
    wait_until(lambda: in_use(web) == 1)
    yield web
    web.close()


def in_use(web):
    """Return how often the server has begun to use the replica."""
    return web.log.read_text().count('"replica_in_use"')


@pytest.fixture
def kept(postgres):
    """Return a function that sets how much of its log the primary keeps for a replica that is away."""

    def keep(size):
        postgres.execute(f"ALTER SYSTEM SET max_slot_wal_keep_size = '{size}'")
        postgres.execute("SELECT pg_reload_conf()")

    yield keep
    postgres.execute("ALTER SYSTEM RESET max_slot_wal_keep_size")
    postgres.execute("SELECT pg_reload_conf()")


def pause(postgres, replica):
    """Stop a replica while the primary fills and removes several files of its log."""
    replica.stop()
    for _ in range(4):
        postgres.execute("SELECT pg_logical_emit_message(false, 'gorrion', 'x')")
        postgres.execute("SELECT pg_switch_wal()")
    postgres.execute("CHECKPOINT")
    replica.start()


def found(postgres, replica):
    """Return the levels of what the doctor finds about replication."""
    settings = Settings(database_url=postgres.url, database_replica_url=replica.url)
    findings = run_coroutine(examine_database(settings, postgres.url))
    return [each.level for each in findings if each.check in ("replication slots", "replica")]


def health(replica):
    """Return 1 if the container of a replica is healthy, otherwise 0."""
    check = yaml.safe_load(read("compose.replica.yml"))["services"]["replica"]["healthcheck"]["test"][-1]
    try:
        return fetch(replica.url, check)[0]
    except asyncpg.DivisionByZeroError:
        return 0


def test_a_replica_catches_up_after_a_pause_that_the_primary_has_kept_the_log_for(postgres, replica, kept):
    kept("10GB")
    pause(postgres, replica)
    wait_until(lambda: (found(postgres, replica), health(replica)) == (["ok", "ok"], 1))
    replica.stop()
    assert found(postgres, replica) == ["warn", "fail"]
    replica.start()
    kept("-1")
    wait_until(lambda: (found(postgres, replica), health(replica)) == (["warn", "ok"], 1))


def test_a_replica_that_cannot_follow_any_more_is_unhealthy_and_named(postgres, replica, kept):
    kept("1MB")
    pause(postgres, replica)
    wait_until(lambda: (found(postgres, replica), health(replica)) == (["fail", "fail"], 0))


def test_writers_see_their_writes_and_others_soon_after(postgres, replica, web):
    player = Visitor(web).register()
    profile = f"{web.url}/players/{player.username}"
    replica.execute("SELECT pg_wal_replay_pause()")
    try:
        made = player.http.post("/solitaire", data={"game": "up_and_up", "size": "5"})
        game = made.url.path
        assert game.startswith("/games/"), made.text
        assert game in player.http.get(profile).text
        assert game not in plain_http.get(profile).text  # this one is read from the replica
        # And from the primary when it is too far behind.
        wait_until(lambda: game in plain_http.get(profile).text)
    finally:
        replica.execute("SELECT pg_wal_replay_resume()")


def test_a_page_whose_socket_has_written_is_told_to_read_from_the_primary(replica, web):
    player = Visitor(web).register()
    game = player.http.post("/solitaire", data={"game": "up_and_up", "size": "5"}).url.path
    _, answer = PlayingPage(player, game).move("c3", 0)
    assert answer["played"]
    assert re.fullmatch(r"gorrion-wrote=1; Max-Age=[0-9]; Path=/; SameSite=lax", answer["cookie"])


def test_without_the_replica_everything_goes_on(postgres, replica, web, play):
    with play(postgres, [web]) as load, visitor(web) as answers:
        replica.kill()
        load.wait_until_whole()
        load.play_for(1)
        replica.start()
        wait_until(lambda: in_use(web) > 1)
        load.play_for(1)
        assert set(answers) == {200}
