"""A replica from which pages are read: what is on it is a little old at most, and nobody depends on it."""

import re

import pytest

from tests.faults.cluster import Web
from tests.faults.pages import visitor
from tests.support import plain_http
from tests.support.players import PlayingPage, Visitor
from tests.support.waiting import wait_until

BEHIND = 5  # seconds


@pytest.fixture
def replica(postgres):
    replica = postgres.replica()
    replica.start()
    yield replica
    replica.close()


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
