"""Tournaments go on as announced, whatever their players do: the rules, played without a server.

Players come late, pause, come back, leave, are left out, play elsewhere, never move, and win, lose or draw at
random. The sentences that `check` is given are what has to hold in each of these tournaments.
"""

import random
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from app.compete.tournaments import arenas, decisions, rounds
from app.compete.tournaments.arenas import score_arena
from app.compete.tournaments.field import Field, value_of
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.terms import FEWEST_PLAYERS, TournamentKind, TournamentPlan
from app.core.errors import AppError
from engine.tournaments.arena import Score
from engine.tournaments.pairings import PairingOutcome
from tests.support.effort import cases

RUNS = cases(400)  # of each kind
MOST_PLAYERS = 12
BULLET = {"kind": "realtime", "limit": 60, "increment": 1}
DAYS = {"kind": "correspondence", "days": 3}
_START = datetime(2026, 1, 1, tzinfo=UTC)
_MOST_LOOKS = 4_000


class Course:
    """The course of a tournament of a kind with a seed; `run` plays it to its end."""

    def __init__(self, kind, seed):
        self.random = random.Random(f"{kind} {seed}")
        self.kind, self.now = kind, _START
        self.ends = {}  # of the games under way: when, the outcome, and whether it is played
        self.began = {}  # the rounds, with when they began
        self.last_end = _START
        self.games, self.counted = 0, []
        self.players, self.pairings = {}, []
        self.elsewhere = {}  # until when players have another game
        self.tournament = self._made()
        count = self.random.randint(max(2, FEWEST_PLAYERS[kind]), MOST_PLAYERS)
        for _ in range(count):
            self._add()
        self.manners = self.random.choice(
            ({"play": 1}, {"play": 8, "away": 1}, {"play": 1, "away": 1}, {"away": 1})
        )

    def _made(self):
        choice, kind = self.random.choice, self.kind
        is_live = kind in (TournamentKind.ARENA, TournamentKind.SIMUL) or choice((True, False))
        plan = TournamentPlan(
            minutes=20,
            late_games=choice(("count", "void")),
            rounds=choice((3, 5, 9)),
            pause=choice((5, 15, 600)),
            groups=choice((1, 1, 2, 3, 8)),
            promoted=choice((0, 1, 2)),
            is_double=choice((True, False)),
            at_once=choice((0, 1, 3)),
            best_of=choice((1, 3, 5)),
        )
        return Tournament(
            id="cup", kind=kind, status="started", name="Cup", game="jadejack", options={}, rated=False,
            time_control=BULLET if is_live else DAYS, plan=asdict(plan), starts_at=_START, max_players=100,
            min_games=0, computers=False, chat=True, description="", size=0, round=0, due_at=_START,
            organiser_id=1, ends_at=_START + timedelta(minutes=20) if kind == TournamentKind.ARENA else None,
        )  # fmt: skip

    def _add(self):
        """Add a player; one who comes late to a Swiss tournament gets half a point for each round so far."""
        self.tournament.size += 1
        number = self.tournament.size
        self.players[number] = TournamentPlayer(
            tournament_id="cup", account_id=number, status="active", rating=1500, seed=number, group_number=0,
            stage=0, points=0.0, tie_breaks=[], games=0, wins=0, streak=0, seats=[], joined_at=self.now,
            free_since=self.now,
        )  # fmt: skip
        if self.kind == TournamentKind.SWISS:
            self.pairings += [
                TournamentPairing(
                    round=each, board=99 + number, leg=1, group_number=0, first_id=number,
                    outcome=PairingOutcome.DRAW, is_played=True,
                )
                for each in range(1, self.tournament.round + 1)
            ]  # fmt: skip

    def run(self):
        """Play to the end, check each step, and return the course."""
        self.look()
        for _ in range(_MOST_LOOKS):
            if self.tournament.status == "finished":
                return self
            moments = [moment for moment, _result in self.ends.values()]
            if self.tournament.due_at is not None:
                moments.append(max(self.tournament.due_at, self.now))
            self.check(moments, "it waits for a game or for a moment")
            self._act_before(min(moments))
            self.look()
        pytest.fail("it comes to its end")

    def _act_before(self, moment):
        """Let players do something, or the time pass until the next thing happens."""
        if self.random.random() < 0.3:
            self.now += (moment - self.now) * self.random.random()
            self._act()
        else:
            self.now = moment

    def _act(self):
        """Let somebody come, pause, come back or leave, as far as that is allowed."""
        number = self.random.randint(1, MOST_PLAYERS)
        player = self.players.get(number)
        action = self.random.choice(("join", "join", "pause", "withdraw", "exclude", "elsewhere"))
        try:
            if action == "elsewhere":
                self.elsewhere[number] = self.now + timedelta(seconds=self.random.choice((5, 60, 400)))
            if action == "join":
                decisions.check_open(self.tournament, player, self.now)
                if player is None:
                    self._add()
                elif player.status != "active":
                    player.status, player.free_since = "active", self.now
                self.tournament.due_at = self.now
                return
            player = decisions.check_leaving(self.tournament, player)
            if action == "pause":
                decisions.check_pause(self.tournament)
                player.status = "paused"
            else:
                player.status = "withdrawn"
                if self.kind != TournamentKind.ARENA:
                    self.tournament.due_at = self.now
        except AppError:
            pass

    def look(self):
        """Conduct the tournament, if a game has ended or it is due."""
        decided = [(each, each.outcome, each.is_played) for each in self.pairings if each.outcome is not None]
        ended = []
        for pairing in [each for each in self.pairings if each.game_id in self.ends]:
            moment, (outcome, is_played) = self.ends[pairing.game_id]
            if moment <= self.now:
                del self.ends[pairing.game_id]
                pairing.outcome, pairing.is_played, pairing.ended_at = outcome, is_played, moment
                self.last_end = moment
                ended.append(pairing)
        ended.sort(key=lambda each: each.ended_at)
        self.counted += ended
        is_due = self.tournament.due_at is not None and self.tournament.due_at <= self.now
        if not ended and not is_due:
            return
        before = {number: player.points for number, player in self.players.items()}
        number = self.tournament.round
        is_over = (
            self._look_at_arena(ended) if self.kind == TournamentKind.ARENA else self._look_at_rounds(ended)
        )
        for each, outcome, is_played in decided:
            self.check((each.outcome, each.is_played) == (outcome, is_played), "a result stays as it was")
        if not any(player.stage for player in self.players.values()):  # points of the final are counted anew
            for one, points in before.items():
                self.check(self.players[one].points >= points, "nobody loses points")
        self.check(self.tournament.round - number in (0, 1), "rounds come one after the other")
        if is_over:
            self.tournament.status = "finished"

    def _look_at_arena(self, ended):
        for pairing in ended:
            score_arena(self.tournament, pairing, self.players)
        if self.now >= self.tournament.ends_at:
            self.tournament.due_at = arenas.void_from(self.tournament)
            is_void = self.tournament.due_at is not None and self.tournament.due_at <= self.now
            return is_void or not self.ends
        active = [player for player in self.players.values() if player.status == "active"]
        free = [player for player in active if player.game_id is None]
        field = Field(self.tournament, free, [])
        arenas.begin_wave(field, self._unoccupied(), self.now, others_play=len(free) < len(active))
        self._start(field)
        for pairing in field.starting:
            for one in value_of(pairing).players:
                self.players[one].game_id = pairing.game_id
        self.pairings += field.added
        return False

    def _unoccupied(self):
        """Return the players who have no game elsewhere."""
        return {one for one in self.players if self.elsewhere.get(one, self.now) <= self.now}

    def _check_rest(self, one):
        """Check that a player has seen the end of the last game for some seconds."""
        ends = [each.ended_at for each in self.pairings if each.ended_at and one in value_of(each).players]
        self.check(not ends or self.now - max(ends) >= arenas.REST, "players rest between games")

    def _look_at_rounds(self, ended):
        number = self.tournament.round
        self.tournament.due_at = None
        field = Field(self.tournament, list(self.players.values()), self.pairings)
        was_active = {player.account_id for player in field.active}
        is_over = rounds.go_on(field, ended, self.now)
        field.hold_back(self._unoccupied(), self.now)
        if self.tournament.round > number:
            self._check_begin(
                was_active - {each.account_id for each in field.players if each.status != "active"}
            )
        self._start(field)
        return is_over

    def _check_begin(self, active):
        """Check the beginning of a round."""
        number = self.tournament.round
        self.began[number] = self.now
        pairings = [each for each in self.pairings if each.round == number]
        taken = Counter(one for each in pairings for one in value_of(each).players)
        if number > 1 and self.tournament.time_control == BULLET:
            before = max(self.last_end, self.began[number - 1])
            passed = (self.now - before).total_seconds()
            self.check(passed >= self.tournament.plan["pause"], "there is a pause before each round")
        if self.kind == TournamentKind.SWISS:
            self.check(set(taken) == active, "everybody who is there is in the round, and nobody else")
            byes = sum(each.second_id is None for each in pairings)
            self.check(byes == len(active) % 2, "there is a bye only for the one who is left")
        if self.kind != TournamentKind.SIMUL:
            self.check(set(taken.values()) <= {1}, "nobody is twice in a round")

    def _start(self, field):
        """Start the games, and decide when and how each of them will end."""
        for pairing in field.starting:
            self.check(pairing.outcome is None and not pairing.game_id, "a game is started once")
            if self.kind == TournamentKind.ARENA:
                self.check(self.now < self.tournament.ends_at, "no game begins after the end of an arena")
            for one in value_of(pairing).players:
                self.check(self.players[one].status != "withdrawn", "nobody who has left gets a game")
                self.check(one in self._unoccupied(), "nobody who has another game gets one")
                if self.kind == TournamentKind.ARENA:
                    self.check(self.players[one].status == "active", "nobody who pauses gets a game")
                    self._check_rest(one)
            self.games += 1
            pairing.game_id = f"game {self.games}"
            seconds = self.random.choice((5, 60, 60, 400, 3_000))
            self.ends[pairing.game_id] = (self.now + timedelta(seconds=seconds), self._result())

    def _result(self):
        """Return the outcome of a game, and whether it is played: who never moves loses."""
        (manner,) = self.random.choices(list(self.manners), list(self.manners.values()))
        if manner == "away":
            return self.random.choice(
                (PairingOutcome.SECOND, PairingOutcome.SECOND, PairingOutcome.FIRST, PairingOutcome.NEITHER)
            ), False
        return self.random.choice((PairingOutcome.FIRST, PairingOutcome.SECOND, PairingOutcome.DRAW)), True

    def check(self, is_so, rule):
        """Fail unless a rule is kept."""
        assert is_so, rule

    def check_end(self):
        """Check the results of a tournament that is over."""
        for each in self.pairings:
            self.check(each.outcome is not None or self.kind == TournamentKind.ARENA, "all games are decided")
        getattr(self, f"_check_{self.kind}")()
        if self.kind != TournamentKind.ARENA:
            self._check_games()

    def _check_games(self):
        """Check that the standings have the games of each player, and those that were won."""
        pairings = [(each.group_number, value_of(each)) for each in self.pairings]
        for number, player in self.players.items():
            group = 0 if player.stage else player.group_number
            own = [
                value
                for of_group, value in pairings
                if of_group == group and number in value.players and value.is_game
            ]
            counted = len(own), sum(value.points_of(number) == 1 for value in own)
            self.check((player.games, player.wins) == counted, "games and wins are counted in every kind")

    def _check_points(self, pairings=None):
        """Check that each game counts once: the points are the sum of the results."""
        points = Counter()
        for value in map(value_of, self.pairings if pairings is None else pairings):
            for one in value.players:
                points[one] += value.points_of(one)
        for number, player in self.players.items():
            if pairings is None or not player.stage:
                self.check(player.points == points[number], "each game counts once")

    def _check_swiss(self):
        self.check(
            self.tournament.round == self.tournament.plan["rounds"],
            "all rounds that were announced take place",
        )
        self._check_points()

    def _check_simul(self):
        guests = sorted(each.first_id for each in self.pairings)
        self.check(guests == sorted(self.players.keys() - {1}), "the host plays everybody once")
        self._check_points()

    def _check_round_robin(self):
        groups = {}
        for each in self.pairings:
            met = groups.setdefault(each.group_number, Counter())
            met[frozenset((each.first_id, each.second_id))] += 1
        times = 2 if self.tournament.plan["is_double"] else 1
        for met in groups.values():
            members = set().union(*met)
            pairs = {frozenset(pair) for pair in combinations(members, 2)}
            self.check(met == dict.fromkeys(pairs, times), "everybody meets everybody in the group")
        in_groups = set().union(*(pair for met in groups.values() for pair in met))
        self.check(in_groups == self.players.keys(), "everybody has somebody to play against")
        has_final = any(player.stage for player in self.players.values())
        self._check_points([each for each in self.pairings if each.group_number or not has_final])

    def _check_knockout(self):
        last = self.tournament.round
        self.check(last == (len(self.players) - 1).bit_length(), "the rounds are those of the bracket")
        left = set(self.players)
        for number in range(1, last + 1):
            legs = [each for each in self.pairings if each.round == number]
            pairs = {each.board: set(value_of(each).players) for each in legs}
            self.check(
                set().union(*pairs.values()) == left, "who has lost a match is out, and all others go on"
            )
            left = {one for one in left if self.players[one].points >= number}
            self.check(all(len(left & pair) == 1 for pair in pairs.values()), "each match has one winner")
        self.check(len(left) == 1, "there is one champion")
        matches = {(each.round, each.board) for each in self.pairings}
        self.check(sum(each.points for each in self.players.values()) == len(matches), "a match counts once")

    def _check_arena(self):
        end = self.tournament.ends_at
        self.check(self.now >= end, "an arena goes on until its announced end")
        self.check(all(moment >= end for moment, _result in self.ends.values()), "what ends in time counts")
        scores = dict.fromkeys(self.players, Score())
        for value in map(value_of, self.counted):
            for one in value.players if value.outcome is not PairingOutcome.NEITHER else ():
                scores[one] = scores[one].after(value.points_of(one))
        for number, player in self.players.items():
            score = Score(player.points, player.streak, player.wins, player.games)
            self.check(score == scores[number], "each game counts once")


@pytest.mark.parametrize("kind", TournamentKind)
def test_tournaments_go_on_as_announced(kind):
    for seed in range(RUNS):
        try:
            Course(kind, seed).run().check_end()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
