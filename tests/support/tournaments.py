"""Tournaments of programs, in which games end by resigning."""

from datetime import datetime, timedelta

from app.core.ids import new_id
from app.core.moments import utc_now
from tests.support.database import execute
from tests.support.games import post
from tests.support.players import Program, Visitor
from tests.support.waiting import wait_until

BULLET = {"kind": "realtime", "limit": 60, "increment": 1}


def member(server, username):
    """Return a player of a cup as a visitor of its pages."""
    return Visitor(server).log_in(username)


def new_team(database_url, leader):
    """Return the id of a new team, which lets everybody join."""
    team = new_id()
    execute(
        database_url,
        "INSERT INTO teams (id, name, text, is_open, leader_id, size) "
        "SELECT $1, 'Team ' || $1, '', true, id, 1 FROM accounts WHERE username = $2",
        *(team, leader.username),
    )
    execute(
        database_url,
        "INSERT INTO team_members (team_id, account_id, role) "
        "SELECT $1, id, 'leader' FROM accounts WHERE username = $2",
        *(team, leader.username),
    )
    return team


class Cup:
    """A tournament with its players, by name. It starts in some minutes."""

    def __init__(self, server, clock, count, kind, *, starts_in=2, organiser=None, **members):
        self.server, self.clock = server, clock
        self.programs = {}
        self.organiser = organiser or Program(server)
        body = {
            "name": f"The {kind} of {self.organiser.username}",
            "kind": kind,
            "game": "jadejack",
            "options": {"size": 8},
            "time_control": BULLET,
            "starts_at": (utc_now() + timedelta(minutes=starts_in)).isoformat(),
            **members,
        }
        self.terms = body
        made = self.organiser.http.post("/tournaments", json=body)
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        for _ in range(count):
            self.join(Program(server))

    def join(self, program):
        answer = post(program, f"/tournaments/{self.id}/join")
        assert answer.status_code == 200, answer.text
        self.programs[program.username] = program

    def start(self):
        start = datetime.fromisoformat(self.shown["starts_at"])
        self.clock.advance(seconds=(start - utc_now()).total_seconds())
        self.wait_for("started")
        return self

    def end_pause(self):
        """Let the pause between two rounds pass."""
        self.clock.advance(seconds=self.shown["plan"]["pause"])

    @property
    def shown(self):
        return self.organiser.http.get(f"/tournaments/{self.id}").json()

    def wait_for(self, status):
        wait_until(lambda: self.shown["status"] == status)

    @property
    def standings(self):
        return self.organiser.http.get(f"/tournaments/{self.id}/standings?limit=200").json()["rows"]

    @property
    def points(self):
        return {row["username"]: row["points"] for row in self.standings}

    @property
    def pairings(self):
        return self.organiser.http.get(f"/tournaments/{self.id}/rounds").json()["pairings"]

    @property
    def running(self):
        return [each for each in self.pairings if each["game_id"] and each["outcome"] is None]

    def make_first_moves(self):
        """Make the first move of each player in all games that are running."""
        for pairing in self.running:
            for ply, name in enumerate((pairing["first"], pairing["second"])):
                program, game = self.programs[name], pairing["game_id"]
                moved = program.move(game, program.snapshot(game)["legal_moves"][ply], ply)
                assert moved.status_code == 200, moved.text

    def win(self, pairing, winner):
        """End a game of a pairing in favour of a player."""
        loser = next(name for name in (pairing["first"], pairing["second"]) if name != winner)
        assert post(self.programs[loser], f"/games/{pairing['game_id']}/resign").status_code == 200

    def play_round(self, winner=lambda pairing: min(pairing["first"], pairing["second"])):
        """Wait for games, end all that are running, wait for their results, and return their pairings."""
        pairings = wait_until(lambda: self.running)
        for pairing in pairings:
            self.win(pairing, winner(pairing))
        games = {pairing["game_id"] for pairing in pairings}
        wait_until(lambda: not games & {pairing["game_id"] for pairing in self.running})
        return pairings
