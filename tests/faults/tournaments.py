"""Programs that play tournaments on several servers, and the standings recomputed from their games."""

import random
import time
import uuid
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx

from engine.tournaments.arena import Score
from engine.tournaments.pairings import Pairing, PairingOutcome
from engine.tournaments.standings import SWISS, standings
from tests.support import plain_http
from tests.support.database import connected, execute, fetch
from tests.support.players import Program
from tests.support.threads import run_coroutine

_THREADS = 8
_REQUEST_WITHIN = 5  # seconds


class Tournament:
    """A casual tournament of programs, whose players use any of the servers that answer."""

    def __init__(self, database_url, servers, kind, count, **members):
        self.database_url, self.servers, self.kind = database_url, servers, kind
        self.chance = random.Random(1)
        self.tokens = {}
        # Other tests move this process's clock, or PostgreSQL's: a heartbeat has the servers' time.
        servers_time = fetch(database_url, "SELECT beat_at FROM heartbeat")["beat_at"]
        programs = [Program(servers[number % len(servers)]) for number in range(count)]
        body = {
            "name": f"{kind} under faults",
            "kind": kind,
            "game": "jadejack",
            "options": {"size": 8},
            "time_control": {"kind": "realtime", "limit": 300, "increment": 5},
            "starts_at": (servers_time + timedelta(hours=1)).isoformat(),
            "pause": 5,
            **members,
        }
        made = programs[0].http.post("/tournaments", json=body)
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        for program in programs:
            joined = program.http.post(f"/tournaments/{self.id}/join")
            assert joined.status_code == 200, joined.text
            self.tokens[program.username] = program.token

    def start(self):
        self.execute("UPDATE tournaments SET starts_at = now(), due_at = now() WHERE id = $1")

    def end(self):
        """Pair nobody any more: an arena is over once its games are."""
        self.execute("UPDATE tournaments SET ends_at = now(), due_at = now() WHERE id = $1")

    @property
    def status(self):
        return self.fetch("SELECT status FROM tournaments WHERE id = $1")[0]["status"]

    def play(self):
        """Play all games that are running: two moves, and then somebody resigns."""
        running = self.fetch(
            "SELECT p.game_id, g.ply, a.username AS first, b.username AS second FROM tournament_pairings p "
            "JOIN games g ON g.id = p.game_id AND g.status = 'started' "
            "JOIN accounts a ON a.id = p.first_id JOIN accounts b ON b.id = p.second_id "
            "WHERE p.tournament_id = $1"
        )
        with ThreadPoolExecutor(_THREADS) as threads:
            list(threads.map(self._play, running))

    def _play(self, game):
        path, ply = f"/games/{game['game_id']}", game["ply"]
        if ply < 2:
            mover = game["first"] if ply == 0 else game["second"]
            move = {
                "move": ("c4", "f6")[ply],
                "ply": ply,
                "move_id": str(uuid.uuid4()),
            }
            self._post(mover, f"{path}/moves", move)
        else:
            self._post(self.chance.choice([game["first"], game["second"]]), f"{path}/resign", None)

    def _post(self, username, path, body):
        """Send a request to one of the servers; if it is down, the next round of `play` tries again."""
        server = self.chance.choice(self.servers)
        headers = {"Authorization": f"Bearer {self.tokens[username]}"}
        try:
            plain_http.post(f"{server.url}/api/v1{path}", json=body, headers=headers, timeout=_REQUEST_WITHIN)
        except httpx.TransportError:
            time.sleep(0.1)

    def check(self):
        """Every pairing has happened once, and the standings follow from the games."""
        games = {row["id"]: row for row in self.fetch("SELECT * FROM games WHERE tournament_id = $1")}
        pairings = self.fetch(
            "SELECT * FROM tournament_pairings WHERE tournament_id = $1 ORDER BY ended_at, id"
        )
        played = [row["game_id"] for row in pairings if row["game_id"]]
        assert len(played) == len(set(played)), "a game belongs to one pairing"
        assert set(played) == games.keys(), "every game of the tournament belongs to a pairing"
        values, in_round = [], set()
        for row in pairings:
            game = games.get(row["game_id"])
            if game is not None:
                assert [game["first_player"], game["second_player"]] == [row["first_id"], row["second_id"]]
                assert row["outcome"] == outcome_of(game)
            value = Pairing(
                row["round"],
                row["first_id"],
                row["second_id"],
                PairingOutcome(row["outcome"]),
                row["is_played"],
            )
            for player in value.players:
                assert (value.round, player) not in in_round, "everybody is paired once in a round"
                in_round.add((value.round, player))
            values.append(value)
        rows = self.fetch("SELECT * FROM tournament_players WHERE tournament_id = $1")
        stored = {row["account_id"]: (row["points"], row["games"]) for row in rows}
        assert stored == self._recomputed(values, stored)
        return len(played)

    def _recomputed(self, values, players):
        if self.kind == "swiss":
            rounds = max(value.round for value in values)
            table = standings(players, values, SWISS, rounds=rounds)
            assert not repeats(values)
            return {row.player: (row.points, row.games) for row in table}
        scores = defaultdict(Score)
        for value in values:
            for player in value.players:
                scores[player] = scores[player].after(value.points_of(player))
        return {player: (scores[player].points, scores[player].games) for player in players}

    def execute(self, query):
        execute(self.database_url, query, self.id)

    def fetch(self, query):
        async def run():
            async with connected(self.database_url) as connection:
                return await connection.fetch(query, self.id)

        return run_coroutine(run())


def outcome_of(game):
    """Return the outcome of a stored game; a player who aborts it loses."""
    if game["status"] == "aborted":
        return "neither" if game["aborted_by"] is None else ("second", "first")[game["aborted_by"]]
    return "draw" if game["winner_seat"] is None else ("first", "second")[game["winner_seat"]]


def repeats(values):
    """Return whether somebody met the same opponent twice."""
    met = [frozenset(value.players) for value in values if not value.is_bye]
    return len(met) != len(set(met))


def play_under_faults(tournaments, seconds, kill, *, kill_every):
    """Play tournaments while servers are killed; end arenas after some seconds, and wait for all ends."""
    for tournament in tournaments:
        tournament.start()
    started = killed = time.monotonic()
    has_ended = False
    while any(tournament.status != "finished" for tournament in tournaments):
        for tournament in tournaments:
            tournament.play()
        now = time.monotonic()
        if now - killed > kill_every and not has_ended:
            kill()
            killed = time.monotonic()
        if now - started > seconds and not has_ended:
            has_ended = True
            for tournament in tournaments:
                if tournament.kind == "arena":
                    tournament.end()
        assert now - started < 3 * seconds + 300, "the tournaments do not end"
        time.sleep(0.1)
