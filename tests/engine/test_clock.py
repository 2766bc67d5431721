"""Clocks as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import (
    DAYS,
    FIRST_MOVE_WITHIN,
    CommonDeadline,
    Correspondence,
    FlagFallen,
    Realtime,
    control_from_dict,
    control_to_dict,
    started,
)

START = 1_800_000_000_000
realtime = st.builds(Realtime, st.integers(60, 10_800), st.integers(0, 180))
controls = realtime | st.builds(Correspondence, st.sampled_from(DAYS))


@given(realtime, st.lists(st.floats(0, 1, exclude_max=True), max_size=40))
def test_time_is_conserved_and_increments_are_exact(control, shares):
    """Each move takes a share of the time left. No millisecond is lost or gained."""
    clock, now, spent = started(control, 2, 0, START), START, 0
    for ply, share in enumerate(shares):
        took = int(share * (clock.deadline - now))
        now += took
        spent += took if ply else 0  # no clock runs before the first move
        clock = clock.pressed(now, (ply + 1) % 2)
        increments = max(0, ply) * control.increment * 1000
        assert sum(clock.read(now)) == 2 * control.limit * 1000 + increments - spent
        assert min(clock.read(now)) >= 0
        assert sum(clock.stopped(now).left) == sum(clock.read(now))


@given(controls, st.integers(-5_000, 20 * 86_400_000))
def test_time_left_is_never_negative_and_the_deadline_is_exact(control, later):
    clock = started(control, 2, 0, START).pressed(START, 1)
    assert min(clock.read(START + later)) >= 0
    assert clock.is_due(clock.deadline)
    assert not clock.is_due(clock.deadline - 1)
    assert clock.pressed(clock.deadline - 1, 0).running == 0
    with pytest.raises(FlagFallen):
        clock.pressed(clock.deadline, 0)
    assert clock.read(clock.deadline)[1] == 0


def test_the_first_move_of_a_realtime_game_has_a_minute_and_uses_no_time():
    clock = started(Realtime(300, 5), 2, 0, START)
    assert clock.deadline == START + FIRST_MOVE_WITHIN == START + 60_000
    assert clock.read(START + 59_000) == (300_000, 300_000)
    after = clock.pressed(START + 59_000, 1)
    assert after.left == (300_000, 300_000)
    assert after.deadline == START + 59_000 + 300_000


def test_each_move_of_a_correspondence_game_has_all_its_days():
    day = 86_400_000
    clock = started(Correspondence(3), 2, 0, START)
    assert clock.deadline == START + 3 * day
    clock = clock.pressed(START + 2 * day, 1)
    assert clock.left == (3 * day, 3 * day)
    assert clock.deadline == START + 5 * day


@given(st.lists(st.integers(0, 5_000), max_size=30))
def test_a_common_deadline_does_not_move(waits):
    clock, now = started(CommonDeadline(START + 60_000), 1, 0, START), START
    for wait in waits:
        now += wait
        if now >= START + 60_000:
            with pytest.raises(FlagFallen):
                clock.pressed(now, 0)
            return
        clock = clock.pressed(now, 0)
        assert clock.deadline == START + 60_000
        assert clock.read(now) == (START + 60_000 - now,)
    assert clock.stopped(now).deadline is None
    assert clock.read(START + 99_000) == (0,)


def test_a_side_may_move_twice_in_a_row():
    """As happens when the server plays a forced pass for the other side."""
    clock = started(Realtime(60, 2), 2, 0, START).pressed(START, 1).pressed(START + 1_000, 0)
    again = clock.pressed(START + 4_000, 0)
    assert again.left == (60_000 - 3_000 + 2_000, 60_000 - 1_000 + 2_000)
    assert again.running == 0


def test_a_takeback_does_not_restore_time():
    clock = started(Realtime(60, 2), 2, 0, START).pressed(START, 1).pressed(START + 1_000, 0)
    back = clock.turned_back(START + 5_000, 1, 3)
    assert back.left == (56_000, 61_000)
    assert back.deadline == START + 5_000 + 61_000


def test_a_stopped_clock_does_not_run():
    clock = started(Realtime(60, 0), 2, 0, START).pressed(START, 1).stopped(START + 10_000)
    assert clock.deadline is None
    assert clock.read(START + 99_000) == (60_000, 50_000)
    with pytest.raises(ValueError, match="No clock is running"):
        clock.pressed(START, 0)


@given(controls | st.builds(CommonDeadline, st.integers(0, 2 * START)))
def test_controls_survive_a_round_trip_through_dicts(control):
    assert control_from_dict(control_to_dict(control)) == control
    assert control_from_dict(None) is None


def test_invalid_controls_are_rejected():
    for members in (
        {"kind": "realtime", "limit": 59, "increment": 0},
        {"kind": "realtime", "limit": 10_801, "increment": 0},
        {"kind": "realtime", "limit": 300, "increment": 181},
        {"kind": "realtime", "limit": 300},
        {"kind": "realtime", "limit": 300, "increment": 5, "days": 3},
        {"kind": "correspondence", "days": 4},
        {"kind": "race"},
        {"kind": "race", "until": "noon"},
        {"kind": "hourglass"},
        {},
    ):
        with pytest.raises(ValueError, match=r"\."):
            control_from_dict(members)


def test_controls_as_text():
    assert [str(Realtime(300, 5)), str(Realtime(90, 0))] == ["5+5", "1.5+0"]
    assert [str(Correspondence(1)), str(Correspondence(7))] == ["1 day a move", "7 days a move"]
