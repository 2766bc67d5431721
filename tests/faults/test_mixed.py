"""Faults of all kinds in any order, one after the other and while games are played: nothing is lost."""

import random

import psutil
import pytest

from tests.faults.cluster import Web
from tests.faults.commit_proxy import CommitProxy
from tests.faults.scale import AWAY, IS_LONG, TIMES
from tests.support import plain_http
from tests.support.database import execute
from tests.support.players import Match, Program
from tests.support.server import start_computer
from tests.support.waiting import WITHIN, wait_until

_LOST_ANSWERS = 6
_PHASE = AWAY if IS_LONG else 3  # seconds


class Site:
    """Two servers, each behind a proxy that can lose answers of PostgreSQL, and the games on them."""

    def __init__(self, postgres, folder):
        self.postgres = postgres
        self.folder = folder
        self.proxies = [CommitProxy(postgres.port) for _ in range(2)]
        self.servers = [Web(proxy.url, folder / f"log{proxy.port}", drain="2") for proxy in self.proxies]
        for server in self.servers:
            server.start()
        self.damaged = {}  # ids of games, with their positions

    def lose_answers(self, load):
        for number in range(_LOST_ANSWERS):
            with self.proxies[number % 2].losing(0):
                load.play_for(0.5)

    def be_read_only(self, load):
        with self.postgres.read_only():
            load.play_for(_PHASE)

    def cut_connections(self, load):
        self.postgres.cut()
        load.play_for(0.5)

    def crash(self, _load):
        self.postgres.crash()

    def pause_a_server(self, load):
        self.servers[1].pause()
        load.play_for(_PHASE)
        self.servers[1].resume()

    def damage_a_game(self, load):
        match = Match(self.servers[0])
        self.damaged[match.id] = match.play("c4")["position"]
        wait_until(self.postgres.answers)
        execute(self.postgres.url, "UPDATE games SET position = 'damaged' WHERE id = $1", match.id)
        self.postgres.cut()  # everybody looks at all games again
        load.play_for(0.5)

    def hang_a_worker(self, load):
        player, log = Program(self.servers[0]), self.folder / "worker"
        hanging = start_computer(self.postgres.url, log=log)
        try:
            wait_until(lambda: "worker_ready" in log.read_text(), within=180)
            psutil.Process(hanging.pid).suspend()
            game = player.challenge(opponent="Gorrion-1", side="white").json()["game_id"]
            load.play_for(1)
            helper = start_computer(self.postgres.url)
            try:
                wait_until(lambda: player.snapshot(game)["ply"] > 0, within=180)
            finally:
                helper.kill()
        finally:
            hanging.kill()

    def check(self):
        """Check that a damaged game is the only one that cannot be seen."""
        for server in self.servers:
            with plain_http.Client(base_url=server.url, timeout=WITHIN) as http:
                assert http.get("/watch").status_code == 200
                shown = {game["id"] for game in http.get("/api/v1/games?limit=50").json()}
                assert shown
                assert shown.isdisjoint(self.damaged)
                for game_id in self.damaged:
                    assert http.get(f"/api/v1/games/{game_id}").status_code == 409

    def close(self):
        for game_id, position in self.damaged.items():
            execute(self.postgres.url, "UPDATE games SET position = $2 WHERE id = $1", game_id, position)
        for server in self.servers:
            server.close()
        for proxy in self.proxies:
            proxy.close()


FAULTS = [
    Site.lose_answers,
    Site.be_read_only,
    Site.cut_connections,
    Site.crash,
    Site.pause_a_server,
    Site.damage_a_game,
    *([Site.hang_a_worker] if IS_LONG else []),  # which takes a minute, and is also tested by itself
]


@pytest.fixture
def site(postgres, tmp_path):
    site = Site(postgres, tmp_path)
    yield site
    site.close()


def test_faults_of_all_kinds_in_any_order(postgres, site, play, record_property):
    seed = random.randrange(10**6)
    record_property("seed", seed)
    order = random.Random(seed)
    with play(postgres, site.servers) as load:
        for fault in (fault for _ in range(TIMES) for fault in order.sample(FAULTS, len(FAULTS))):
            fault(site, load)
            load.wait_until_whole()
            wait_until(lambda: all(server.is_ready() for server in site.servers))
        site.check()
