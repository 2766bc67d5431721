"""The life of a game compared with a simple model: moves, takebacks, every kind of end, absent players."""

import asyncio
import uuid

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.core.errors import AppError
from app.core.moments import now, to_datetime
from app.core.realtime.server_time import ServerTime
from app.play.games.decisions import Command
from app.play.games.game import BEGUN, RATED_FROM
from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime, full, is_realtime
from engine.registry import GAMES
from tests.support.web_processes import WebProcess, web_processes

RULES = GAMES["jadejack"]
MINUTE, DAY = 60_000, 86_400_000
CONTROLS = [
    None,
    Realtime(60, 0),
    Realtime(120, 5),
    Realtime(600, 5),
    Byoyomi(30, 3, 30),
    PerMove(40),
    Correspondence(1),
    DaysBank(1, 1, 2),
]
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
            process.games.timekeeper.time = SteadyTime(process.database.pool)

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
        self.asking = self.pausing = None
        self.taken_back_to = None
        self.now = state.clock.since if state.clock else 1_800_000_000_000
        self.since = self.now
        self.left = [0, 0] if control is None else list(full(control, 2))
        self.had, self.used = {0: list(self.left)}, []  # at each ply; ply, seat and time since then
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

    @property
    def is_opening(self):
        """Return whether the game in real time waits for its first move, which takes no time."""
        return is_realtime(self.control) and not self.moves and self.taken_back_to is None

    def deadline(self):
        if self.control is None or self.over:
            return None
        if self.is_opening:
            return self.since + MINUTE
        return self.since + self.left[self.to_move]

    def flag_if_due(self):
        if self.deadline() is not None and self.now >= self.deadline():
            self.end(1 - self.to_move, "abort" if self.is_opening else "time")

    def charge(self):
        """Subtract the time since the clock started from the side to move."""
        if self.control is not None and not self.is_opening:
            self.left[self.to_move] = max(0, self.left[self.to_move] - (self.now - self.since))
            self.used.append((len(self.moves), self.to_move, self.now - self.since))

    def reward(self, seat):
        """Give what the clock gives for a move."""
        match self.control:
            case Realtime(increment=increment):
                self.left[seat] += increment * 1000
            case DaysBank(increment=increment, most=most):
                self.left[seat] = min(self.left[seat] + increment * DAY, most * DAY)
            case Byoyomi(periods=periods, period=period):
                whole = [-(-left // (period * 1000)) * period * 1000 for left in self.left]
                most = periods * period * 1000
                self.left = [
                    left if left > most else all_ for left, all_ in zip(self.left, whole, strict=True)
                ]
            case PerMove() | Correspondence():
                self.left = list(full(self.control, 2))

    def turned_back(self, ply):
        """Return what is left on both clocks after a takeback to a ply."""
        now = list(self.left)
        if not self.is_opening:
            now[self.to_move] -= self.now - self.since
        used = [(at, seat, time) for at, seat, time in self.used if at >= ply]
        used.append((ply, self.to_move, self.now - self.since))
        back = []
        for seat in (0, 1):
            rest = self.had[ply][seat] - sum(time for _, who, time in used if who == seat)
            lasts = isinstance(self.control, Realtime | DaysBank) or seat == ply % 2
            back.append(rest if lasts else min(self.had[ply][seat], now[seat]))
        return back

    def forget_offers(self):
        self.asking = self.pausing = None

    def settle(self):
        """End the game if its time is over, and return whether it is still running."""
        self.flag_if_due()
        return self.over is None

    def command(self, process, command, seat, *, expected):
        """Send a player's command to the server (see `attempt`)."""
        games = self.processes[process].games
        self.attempt(games.command(command, self.id, self.players[seat], at=self.now), expected=expected)

    def attempt(self, work, *, expected):
        """Take a step on the server, and check that it succeeds if and only if the model says so."""
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
        play = self.processes[process].games.play_move
        work = play(self.id, self.players[seat], text, len(self.moves), uuid.uuid4(), at=self.now)
        self.attempt(work, expected=expected)
        if expected is None:
            self.charge()
            if not self.is_opening:
                self.reward(seat)
            self.since = self.now
            self.moves.append(text)
            self.had[len(self.moves)] = list(self.left)
            self.positions.append(RULES.play(self.positions[-1], text))
            self.forget_offers()
            if outcome := RULES.outcome(self.positions[-1]):
                self.over = (RULES.sides.index(outcome.winner), "passes")

    @rule(process=seats, seat=seats, luck=luck)
    def resign(self, process, seat, luck):
        if not luck and self.over is None:
            return
        expected = None if self.settle() else {"game_over"}
        self.command(process, Command.RESIGN, seat, expected=expected)
        if expected is None:
            self.end(1 - seat, "resign")

    @rule(process=seats, seat=seats, luck=luck)
    def abort(self, process, seat, luck):
        if not luck and self.over is None and len(self.moves) < 2:
            return
        expected = None if self.settle() and len(self.moves) < 2 else {"game_over", "too_late_to_abort"}
        self.command(process, Command.ABORT, seat, expected=expected)
        if expected is None:
            self.end(None, "abort")

    @rule(process=seats, seat=seats)
    def ask_for_a_pause(self, process, seat):
        if self.pausing == 1 - seat:
            return
        if not self.settle():
            expected = {"game_over"}
        elif self.rated or not is_realtime(self.control):
            expected = {"no_pause"}
        elif len(self.moves) < BEGUN:
            expected = {"too_early_to_pause"}
        else:
            expected = None if self.pausing is None else {"already_asked"}
        self.command(process, Command.PAUSE, seat, expected=expected)
        if expected is None:
            self.pausing = seat

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
        if expected is None and self.control is not None:
            asking = seat if self.asking is None else self.asking
            ply = max(ply for ply in range(len(self.moves)) if ply % 2 == asking)
            expected = None if min(self.turned_back(ply)) > 0 else {"no_time_left"}
        granted = self.asking == 1 - seat
        self.command(process, Command.TAKEBACK, seat, expected=expected)
        if expected is not None:
            return
        if not granted:
            self.asking = seat
            return
        ply = max(ply for ply in range(len(self.moves)) if ply % 2 == self.asking)
        if self.control is not None:
            self.left = self.turned_back(ply)
            self.used.append((ply, self.to_move, self.now - self.since))
        self.had[ply] = list(self.left)
        # What was used since then is in `had`, so it counts for takebacks beyond this ply only.
        self.used = [(min(at, ply - 1), seat, time) for at, seat, time in self.used]
        self.since = self.now
        self.moves, self.positions = self.moves[:ply], self.positions[: ply + 1]
        self.taken_back_to = ply
        self.forget_offers()

    @rule(process=seats, seat=seats)
    def no_takeback(self, process, seat):
        expected = None if self.settle() and self.asking is not None else {"game_over", "nothing_asked"}
        self.command(process, Command.DECLINE_TAKEBACK, seat, expected=expected)
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
        may = away != 0 and is_realtime(self.control) and seconds >= 60
        expected = None if self.settle() and may else {"game_over", "not_left", "too_early"}
        self.command(process, Command.CLAIM, seat, expected=expected)
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
        self.run(self.processes[process].games.timekeeper.flag(self.id, self.now))
        self.flag_if_due()

    def end(self, winner, termination):
        self.charge()
        if self.rated and len(self.moves) < 2:
            termination = "abort"
        self.over = (None if termination == "abort" else winner, termination)
        self.forget_offers()

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
                assert (state.takeback, state.pause) == (None, None)
                changed = self.rated and len(self.moves) >= RATED_FROM
                assert all((player.change is not None) == changed for player in state.players)
            else:
                assert state.result is None
                assert state.takeback == (None if self.asking is None else RULES.sides[self.asking])
                assert state.pause == (None if self.pausing is None else RULES.sides[self.pausing])
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
