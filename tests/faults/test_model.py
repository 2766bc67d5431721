"""Random commands and faults, step by step: the game is always what the engine and a short model say."""

import contextlib
import random
import time
import uuid
from functools import partial

import httpx
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.registry import GAMES
from tests.faults.load import Move, Observed
from tests.faults.scale import TIMES
from tests.support import plain_http
from tests.support.players import Program
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

RULES = GAMES["jadejack"]
OPTIONS = {"size": 8}
SIDES = st.sampled_from(("black", "white"))
NUMBERS = st.integers(0, 10**6)
ANSWERED_WITHIN = 60  # seconds; after a fault, requests are repeated


class Played:
    """A game between two programs as the model knows it. `forced` plies have no move id."""

    def __init__(self):
        self.position = RULES.initial(OPTIONS)
        self.moves = []  # (text, move id or None, side)
        self.asked = None  # the side that asks for a takeback
        self.taken_back_to = None
        self.ending = None
        self.winner = None

    @property
    def side(self):
        return None if self.ending else RULES.side_to_move(self.position)

    def play(self, text, move_id):
        while text is not None:
            self.moves.append((text, move_id, RULES.side_to_move(self.position)))
            self.position = RULES.play(self.position, text)
            text, move_id = RULES.forced_move(self.position), None
        self.asked = None
        if outcome := RULES.outcome(self.position):
            self.end(outcome.termination, outcome.winner)

    def last_move_of(self, side):
        """Return the ply before the last move that a side chose, or None."""
        plies = [ply for ply, (_, move_id, mover) in enumerate(self.moves) if mover == side and move_id]
        return plies[-1] if plies else None

    def take_back(self, ply):
        self.moves = self.moves[:ply]
        self.position = RULES.initial(OPTIONS)
        for text, _, _ in self.moves:
            self.position = RULES.play(self.position, text)
        self.asked, self.taken_back_to = None, ply

    def end(self, termination, winner):
        self.ending, self.winner, self.asked = termination, winner, None


def registered(server):
    """Return a program, or None while the server is unavailable by the last fault of another example."""
    with contextlib.suppress(AssertionError):
        return Program(server)
    return None


class GamesUnderFaults(RuleBasedStateMachine):
    """Commands to a server with two web processes, and faults between them."""

    def __init__(self, server, postgres):
        super().__init__()
        self.url = f"{server.url}/api/v1"
        self.server = server
        self.postgres = postgres
        self.programs = {side: wait_until(partial(registered, server)) for side in ("black", "white")}
        for program in self.programs.values():
            program.http.headers["Connection"] = "close"  # either process may answer, or be killed
        self.games = {}
        self.begin()

    def begin(self):
        """Start a game."""
        black, white = self.programs.values()
        self.game_id = black.begin(white, side="black", options=OPTIONS)
        self.game = self.games[self.game_id] = Played()

    def send(self, side, method, path="", body=None):
        """Return the status and body of an answer. While the server is unavailable, ask again."""
        until = time.monotonic() + ANSWERED_WITHIN
        headers = self.programs[side].http.headers
        while True:
            try:
                answer = plain_http.request(
                    method, f"{self.url}/games/{self.game_id}{path}", json=body, headers=headers, timeout=20
                )
            except httpx.TransportError:
                assert time.monotonic() < until
            else:
                if answer.status_code != 503 or time.monotonic() > until:
                    return answer.status_code, answer.json()
            time.sleep(0.2)

    def move(self, side, text, ply, move_id):
        status, body = self.send(
            side, "POST", "/moves", {"move": text, "ply": ply, "move_id": str(move_id or uuid.uuid4())}
        )
        return status, body.get("code")

    @precondition(lambda self: self.game.side)
    @rule(number=NUMBERS)
    def play(self, number):
        text = random.Random(number).choice(RULES.legal_moves(self.game.position)[:-1] or ["pass"])
        move_id = uuid.uuid4()
        assert self.move(self.game.side, text, len(self.game.moves), move_id) == (200, None)
        self.game.play(text, move_id)

    @precondition(lambda self: self.game.moves)
    @rule(number=NUMBERS)
    def repeat_a_move(self, number):
        chosen = [ply for ply, (_, move_id, _) in enumerate(self.game.moves) if move_id]
        ply = chosen[number % len(chosen)]
        text, move_id, side = self.game.moves[ply]
        assert self.move(side, text, ply, move_id) == (200, None)

    @precondition(lambda self: self.game.side and self.game.moves)
    @rule()
    def use_a_move_id_twice(self):
        used = next(move_id for _, move_id, _ in self.game.moves if move_id)
        answer = self.move(
            self.game.side, RULES.legal_moves(self.game.position)[0], len(self.game.moves), used
        )
        assert answer == (409, "move_id_reused")

    @precondition(lambda self: self.game.side)
    @rule(distance=st.sampled_from((-2, -1, 1, 5)))
    def move_at_a_wrong_ply(self, distance):
        ply = max(0, len(self.game.moves) + distance)
        if ply != len(self.game.moves):
            assert self.move(self.game.side, "pass", ply, None) == (409, "stale_ply")

    @precondition(lambda self: self.game.side)
    @rule()
    def move_out_of_turn(self):
        answer = self.move(other(self.game.side), "pass", len(self.game.moves), None)
        assert answer == (403, "not_your_turn")

    @precondition(lambda self: self.game.ending)
    @rule(side=SIDES)
    def move_after_the_end(self, side):
        assert self.move(side, "pass", len(self.game.moves), None) == (409, "game_over")

    @precondition(lambda self: self.game.side)
    @rule(side=SIDES)
    def ask_for_a_takeback_or_grant_it(self, side):
        game = self.game
        status, body = self.send(side, "POST", "/takeback")
        if game.asked == other(side):
            assert status == 200
            game.take_back(game.last_move_of(game.asked))
        elif game.asked == side:
            assert (status, body["code"]) == (409, "already_asked")
        elif game.last_move_of(side) is None:
            assert (status, body["code"]) == (409, "nothing_to_take_back")
        elif game.taken_back_to == len(game.moves):
            assert (status, body["code"]) == (409, "just_taken_back")
        else:
            assert status == 200
            game.asked = side

    @precondition(lambda self: self.game.side)
    @rule(side=SIDES)
    def decline_a_takeback(self, side):
        status, body = self.send(side, "POST", "/takeback/decline")
        if self.game.asked:
            assert status == 200
            self.game.asked = None
        else:
            assert (status, body["code"]) == (409, "nothing_asked")

    @precondition(lambda self: len(self.game.moves) > 6)
    @rule(side=SIDES)
    def resign(self, side):
        status, body = self.send(side, "POST", "/resign")
        if self.game.ending:
            assert (status, body["code"]) == (409, "game_over")
        else:
            assert status == 200
            self.game.end("resign", other(side))

    @precondition(lambda self: self.game.side)
    @rule(side=SIDES)
    def abort(self, side):
        if len(self.game.moves) < 2:
            assert self.send(side, "POST", "/abort")[0] == 200
            self.game.end("abort", None)
        else:
            status, body = self.send(side, "POST", "/abort")
            assert (status, body["code"]) == (409, "too_late_to_abort")

    @precondition(lambda self: self.game.ending)
    @rule()
    def begin_another_game(self):
        self.begin()

    @rule(fault=st.sampled_from(("cut", "crash", "restart", "kill")))
    def fail(self, fault):
        match fault:
            case "cut":
                self.postgres.cut()
            case "crash":
                self.postgres.crash()
            case "restart":
                self.postgres.stop()
                self.postgres.start()
            case "kill":
                wait_until(lambda: len(self.server.children()) == 2)
                self.server.children()[0].kill()

    @invariant()
    def both_processes_show_the_game(self):
        for _ in range(2):
            status, snapshot = self.send("black", "GET")
            assert status == 200
            assert snapshot["moves"] == [text for text, _, _ in self.game.moves]
            assert snapshot["position"] == RULES.format(self.game.position)
            assert snapshot["side_to_move"] == self.game.side
            assert snapshot["takeback"] == self.game.asked
            result = snapshot["result"] or {"termination": None, "winner": None}
            assert (result["termination"], result["winner"]) == (self.game.ending, self.game.winner)

    def teardown(self):
        observed = Observed(games=list(self.games), options=OPTIONS)
        for game_id, game in self.games.items():
            observed.acknowledged += [
                Move(game_id, ply, text, move_id)
                for ply, (text, move_id, _) in enumerate(game.moves)
                if move_id
            ]
        observed.sent = {move.id for move in observed.acknowledged}
        wait_until(self.postgres.answers)
        assert run_coroutine(observed.compare(self.postgres.url)) == []


def other(side):
    return {"black": "white", "white": "black"}[side]


def test_games_are_what_the_model_says(postgres, two_processes):
    run_state_machine_as_test(
        lambda: GamesUnderFaults(two_processes, postgres),
        settings=settings(
            max_examples=3 * TIMES,
            stateful_step_count=30,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
