"""What a takeback leaves on the clocks."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from engine.clock import (
    Byoyomi,
    Clock,
    Correspondence,
    DaysBank,
    PerMove,
    Realtime,
    is_realtime,
    started,
)
from engine.clock_history import History, Mark, Turn, turned_back

START = 1_800_000_000_000
DAY = 24 * 60 * 60 * 1000


def test_a_takeback_restores_the_clocks_of_the_position_less_what_was_used_since():
    clock = started(Realtime(60, 2), 2, 0, START).pressed(START, 1).pressed(START + 1_000, 0)
    history = History([Turn(0, 0, 0, 1), Turn(1, 1, 1_000, 0)])
    back, marks = turned_back(clock, START + 5_000, 1, 1, history)
    assert back.left == (56_000, 59_000)
    assert back.deadline == START + 5_000 + 59_000
    again = back.pressed(START + 6_000, 0)
    history = History([Turn(0, 0, 0, 1), Turn(1, 1, 1_000, 0)], marks)
    assert turned_back(again, START + 6_000, 1, 1, history)[0].left == (56_000, 58_000)


def test_after_a_takeback_only_the_opponent_has_a_whole_period_again():
    clock = started(Byoyomi(0, 2, 30), 2, 0, START).pressed(START, 1).pressed(START + 20_000, 0)
    history = History([Turn(0, 0, 0, 1), Turn(1, 1, 20_000, 0)])
    back, _ = turned_back(clock, START + 48_000, 1, 1, history)
    assert back.left == (32_000, 40_000)
    assert back.pressed(START + 48_000, 0).left == (60_000, 60_000)
    back, _ = turned_back(clock, START + 51_000, 1, 1, history)
    assert back.pressed(START + 51_000, 0).left[0] == 30_000


def test_a_takeback_leaves_a_bank_of_days_that_was_full_as_it_was():
    clock = started(DaysBank(2, 2, 3), 2, 0, START).pressed(START, 1)
    assert clock.left == (3 * DAY, 2 * DAY)
    back, _ = turned_back(clock, START + DAY, 0, 0, History([Turn(0, 0, 0, 1)]))
    assert back.left == (2 * DAY, DAY)


CONTROLS = [
    Realtime(60, 0),
    Realtime(60, 2),
    Byoyomi(20, 3, 30),
    PerMove(40),
    Correspondence(1),
    DaysBank(1, 1, 2),
]
steps = st.lists(
    st.one_of(
        st.sampled_from([0, 1, 999, 5_000]),  # milliseconds until the next move
        st.tuples(st.sampled_from([0, 1, 999]), st.integers(1, 3)),  # and until so many plies are undone
    ),
    min_size=20,
    max_size=40,
)


@dataclass
class Play:
    """A game of two as far as its clock goes, and the time of each turn ever in the order of play."""

    clock: Clock
    now: int = START
    turns: list[Turn] = field(default_factory=list)
    marks: tuple[Mark, ...] = ()
    log: list[tuple[int, int]] = field(default_factory=list)  # seat, milliseconds
    begun: list[tuple[tuple[int, ...], int]] = field(default_factory=list)  # what there was at each ply, when

    @property
    def to_move(self) -> int:
        """Return the seat whose turn it is."""
        return len(self.turns) % 2

    def begin_turn(self) -> None:
        """Note what each seat has now."""
        self.begun[len(self.turns) :] = [(self.clock.left, len(self.log))]

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.now += milliseconds
        counts = not (self.clock.opening and is_realtime(self.clock.control))
        self.log.append((self.to_move, milliseconds if counts else 0))

    def move(self) -> None:
        """Make a move."""
        turn = Turn(len(self.turns), self.to_move, self.clock.elapsed(self.now), 1 - self.to_move)
        self.clock = self.clock.pressed(self.now, 1 - self.to_move)
        self.turns.append(turn)
        self.begin_turn()

    def take_back(self, ply: int) -> None:
        """Go back to a ply."""
        history = History(tuple(self.turns), self.marks)
        self.clock, self.marks = turned_back(self.clock, self.now, ply % 2, ply, history)
        del self.turns[ply:]
        self.begin_turn()


@given(st.sampled_from(CONTROLS), steps)
def test_whoever_is_to_move_after_takebacks_has_used_all_the_time_since(control, steps):
    play = Play(started(control, 2, 0, START))
    play.begin_turn()
    for step in steps:
        wait, undone = step if isinstance(step, tuple) else (step, 0)
        play.wait(wait)
        if play.clock.is_due(play.now):
            return
        ply = len(play.turns) - undone
        if not undone:
            play.move()
        elif ply >= 0:
            now, (had, since) = play.clock.read(play.now), play.begun[ply]
            play.take_back(ply)
            used = sum(spent for seat, spent in play.log[since:] if seat == ply % 2)
            assert play.clock.left[ply % 2] == max(0, had[ply % 2] - used)
            assert all(left <= min(pair) for left, *pair in zip(play.clock.left, now, had, strict=True))
            if not all(play.clock.left):
                return  # such a takeback is refused
