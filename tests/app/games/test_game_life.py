"""The life of a game compared with a simple model: moves, takebacks, every kind of end, absent players."""

import asyncio
import uuid

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.errors import AppError
from app.games.game import RATED_FROM
from app.moments import now, to_datetime
from app.realtime.server_time import ServerTime
from engine.clock import Correspondence, Realtime
from engine.registry import GAMES
from tests.support.web_processes import WebProcess, web_processes

RULES = GAMES["jadejack"]
MINUTE, DAY = 60_000, 86_400_000
CONTROLS = [None, Realtime(60, 0), Realtime(120, 5), Realtime(600, 5), Correspondence(1)]
seats = st.integers(0, 1)
luck = st.integers(0, 9).map(lambda number: number == 9)  # rare, for steps that end a game


class SteadyTime(ServerTime):
    """The time of a server that is never down, so that no clock is credited."""

    is_stale = False
    is_trusted = True

    async def beat(self, _on_downtime):
        """Return the present moment."""
        return now()


class Life(RuleBasedStateMachine):
    """A state machine that applies the same steps to a game on the server and to a simple model."""

    database_url = ""

    def __init__(self):
        super().__init__()
        self.runner = asyncio.Runner()
        self.context = web_processes(self.database_url, 2)
        self.processes: list[WebProcess] = self.run(self.context.__aenter__())
        for process in self.processes:
            process.games.time = SteadyTime(process.database.pool)

    def teardown(self):
        self.run(self.context.__aexit__(None, None, None))
        self.runner.close()

    def run(self, work):
        return self.runner.run(work)

    @initialize(control=st.sampled_from(CONTROLS), rated=st.booleans())
    def begin(self, control, rated):
        here = self.processes[0]
        state = self.run(here.new_game(control=control, rated=rated))
        self.id, self.players = state.id, [player.id for player in state.players]
        self.control, self.rated = control, rated
        self.moves, self.positions = [], [RULES.initial({"size": 8})]
        self.over = None  # (winner's seat or None, termination)
        self.asking = None
        self.taken_back_to = None
        self.now = state.clock.since if state.clock else 1_800_000_000_000
        self.since = self.now
        full = {type(None): 0, Realtime: getattr(control, "limit", 0) * 1000, Correspondence: DAY}
        self.left = [full[type(control)]] * 2
        self.away = [None, None]  # moment at which the player left; 0 while present; None: never present
        # A process that counts as alive however long the test takes.
        self.run(
            here.database.pool.execute(
                "INSERT INTO processes VALUES ($1, 'infinity') ON CONFLICT DO NOTHING",
                here.presence.process_id,
            )
        )

    # --- The model -----------------------------------------------------------------------------------------

    @property
    def to_move(self):
        return len(self.moves) % 2

    def deadline(self):
        if self.control is None or self.over:
            return None
        if isinstance(self.control, Realtime) and not self.moves:
            return self.since + MINUTE
        return self.since + self.left[self.to_move]

    def flag_if_due(self):
        if self.deadline() is not None and self.now >= self.deadline():
            is_abort = isinstance(self.control, Realtime) and not self.moves
            self.end(1 - self.to_move, "abort" if is_abort else "time")

    def charge(self):
        """Subtract the time since the clock started from the side to move."""
        if self.control is None or (isinstance(self.control, Realtime) and not self.moves):
            return
        self.left[self.to_move] = max(0, self.left[self.to_move] - (self.now - self.since))

    def settle(self):
        """End the game if its time is over, and return whether it is still running."""
        self.flag_if_due()
        return self.over is None

    def attempt(self, process, step, *arguments, expected):
        """Take a step on the server, and check that it succeeds if and only if the model says so."""
        work = getattr(self.processes[process].games, step)(self.id, *arguments, at=self.now)
        if expected is None:
            return self.run(work)
        with pytest.raises(AppError) as caught:
            self.run(work)
        assert caught.value.code in expected
        return None

    # --- What may happen -----------------------------------------------------------------------------------

    @rule(milliseconds=st.sampled_from([1, 999, 5_000]))
    def time_passes(self, milliseconds):
        self.now += milliseconds

    @rule(milliseconds=st.sampled_from([59_000, 60_000, DAY // 2]), luck=luck)
    def much_time_passes(self, milliseconds, luck):
        if luck:
            self.now += milliseconds

    @rule(process=seats, choice=st.integers(0, 10_000))
    def play(self, process, choice):
        self.move(process, self.to_move, choice)

    @rule(process=seats, choice=st.integers(0, 10_000))
    def play_and_ask(self, process, choice):
        """Play a move and ask for a takeback, which chance alone rarely combines."""
        seat = self.to_move
        self.move(process, seat, choice)
        self.takeback(process, seat)

    @rule(process=seats, seat=seats, choice=st.integers(0, 10_000))
    def move(self, process, seat, choice):
        if not self.settle():
            expected = {"game_over"}
        elif seat != self.to_move:
            expected = {"not_your_turn"}
        else:
            expected = None
        legal = RULES.legal_moves(self.positions[-1]) or ["pass"]
        text = legal[choice % len(legal)]
        self.attempt(
            process, "play_move", self.players[seat], text, len(self.moves), uuid.uuid4(), expected=expected
        )
        if expected is None:
            self.charge()
            if isinstance(self.control, Realtime) and self.moves:
                self.left[seat] += self.control.increment * 1000
            if isinstance(self.control, Correspondence):
                self.left = [DAY, DAY]
            self.since = self.now
            self.moves.append(text)
            self.positions.append(RULES.play(self.positions[-1], text))
            self.asking = None
            if outcome := RULES.outcome(self.positions[-1]):
                self.over = (RULES.sides.index(outcome.winner), "passes")

    @rule(process=seats, seat=seats, luck=luck)
    def resign(self, process, seat, luck):
        if not luck and self.over is None:
            return
        expected = None if self.settle() else {"game_over"}
        self.attempt(process, "resign", self.players[seat], expected=expected)
        if expected is None:
            self.end(1 - seat, "resign")

    @rule(process=seats, seat=seats, luck=luck)
    def abort(self, process, seat, luck):
        if not luck and self.over is None and len(self.moves) < 2:
            return
        expected = None if self.settle() and len(self.moves) < 2 else {"game_over", "too_late_to_abort"}
        self.attempt(process, "abort", self.players[seat], expected=expected)
        if expected is None:
            self.end(None, "abort")

    @rule(process=seats, seat=seats)
    def takeback(self, process, seat):
        mine = [ply for ply in range(len(self.moves)) if ply % 2 == seat]
        if not self.settle():
            expected = {"game_over"}
        elif self.rated:
            expected = {"rated_game"}
        elif self.asking == 1 - seat:
            expected = None
        elif self.asking == seat or not mine or self.taken_back_to == len(self.moves):
            expected = {"already_asked", "nothing_to_take_back", "just_taken_back"}
        else:
            expected = None
        granted = self.asking == 1 - seat
        self.attempt(process, "take_back", self.players[seat], expected=expected)
        if expected is not None:
            return
        if not granted:
            self.asking = seat
            return
        ply = max(ply for ply in range(len(self.moves)) if ply % 2 == self.asking)
        self.charge()
        if isinstance(self.control, Correspondence):
            self.left = [DAY, DAY]
        self.since = self.now
        self.moves, self.positions = self.moves[:ply], self.positions[: ply + 1]
        self.asking, self.taken_back_to = None, ply

    @rule(process=seats, seat=seats)
    def no_takeback(self, process, seat):
        expected = None if self.settle() and self.asking is not None else {"game_over", "nothing_asked"}
        self.attempt(process, "drop_takeback", self.players[seat], expected=expected)
        if expected is None:
            self.asking = None

    @rule(seat=seats)
    def come(self, seat):
        self.away[seat] = 0
        self.be_there("NULL", seat)

    @rule(seat=seats)
    def leave(self, seat):
        if self.away[seat] == 0:
            self.away[seat] = self.now
            self.be_there("$3", seat)

    def be_there(self, left_at, seat):
        pool = self.processes[0].database.pool
        values = [self.players[seat], self.id]
        self.run(pool.execute("DELETE FROM connections WHERE account_id = $1 AND place = $2", *values))
        moment = [to_datetime(self.now)] if left_at != "NULL" else []
        process = self.processes[0].presence.process_id
        self.run(
            pool.execute(
                "INSERT INTO connections (process_id, account_id, place, left_at) "
                f"VALUES ('{process}', $1, $2, {left_at})",
                *values,
                *moment,
            )
        )

    @rule(process=seats, seat=seats)
    def claim(self, process, seat):
        away = self.away[1 - seat]
        since = self.since if away is None else away
        if self.to_move == seat:
            since = max(since, self.since)
        seconds = (self.now - since) // 1000
        may = away != 0 and isinstance(self.control, Realtime) and seconds >= 60
        expected = None if self.settle() and may else {"game_over", "not_left", "too_early"}
        self.attempt(process, "claim", self.players[seat], expected=expected)
        if expected is None:
            self.end(seat, "left")

    @rule(process=seats, seat=seats, seconds=st.integers(58, 61), luck=st.booleans())
    def leave_for_long(self, process, seat, seconds, luck):
        if luck and self.over is None:
            self.come(seat)
            self.leave(seat)
            self.now += seconds * 1000
            self.claim(process, 1 - seat)

    @rule(process=seats)
    def grant(self, process):
        if self.asking is not None:
            self.takeback(process, 1 - self.asking)
            self.takeback(process, 1 - self.to_move)

    @precondition(lambda self: self.control is not None)
    @rule(process=seats)
    def sweep(self, process):
        self.run(self.processes[process].games.flag(self.id, self.now))
        self.flag_if_due()

    def end(self, winner, termination):
        self.charge()
        if self.rated and len(self.moves) < 2:
            termination = "abort"
        self.over = (None if termination == "abort" else winner, termination)

    # --- Invariants ---------------------------------------------------------------------------------

    @invariant()
    def server_and_model_agree(self):
        for process in self.processes:
            state = self.run(process.games.get(self.id))
            assert [played.move for played in state.moves] == self.moves
            assert state.position == self.positions[-1]
            if self.over:
                winner, termination = self.over
                assert state.result.termination == termination
                assert state.result.winner == (None if winner is None else RULES.sides[winner])
                assert state.status == ("aborted" if termination == "abort" else "finished")
                assert state.takeback is None
                changed = self.rated and len(self.moves) >= RATED_FROM
                assert all((player.change is not None) == changed for player in state.players)
            else:
                assert state.result is None
                assert state.takeback == (None if self.asking is None else RULES.sides[self.asking])
            if self.control is not None:
                assert list(state.clock.left) == self.left
                assert state.deadline == self.deadline()


def test_a_game_behaves_like_the_model(database_url):
    Life.database_url = database_url
    machine = Life.TestCase
    machine.settings = settings(
        max_examples=25, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
    )
    machine("runTest").runTest()
