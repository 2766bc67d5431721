"""Clocks as values."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import counted_time
from engine.clock import (
    DAYS,
    FIRST_MOVE_WITHIN,
    Byoyomi,
    Clock,
    CommonDeadline,
    Correspondence,
    DayDeadline,
    DaysBank,
    FlagFallen,
    PerMove,
    Realtime,
    control_from_dict,
    control_to_dict,
    started,
)

START = 1_800_000_000_000
realtime = st.builds(Realtime, st.integers(60, 10_800), st.integers(0, 180))
byoyomi = st.builds(Byoyomi, st.integers(0, 10_800), st.integers(1, 10), st.integers(5, 300))
banks = st.tuples(*[st.integers(1, 28)] * 3, st.booleans()).map(
    lambda bank: DaysBank(*bank[:2], max(bank[:3]), bank[3])
)
controls = (
    realtime
    | byoyomi
    | st.builds(PerMove, st.integers(5, 300))
    | st.builds(Correspondence, st.sampled_from(DAYS), st.booleans())
    | banks
)
DAY = 86_400_000
MONDAY = 4 * DAY + 2_900 * 7 * DAY


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


@given(byoyomi, st.lists(st.floats(0, 1, exclude_max=True), max_size=20))
def test_a_move_within_a_period_gives_it_back_and_a_period_that_runs_out_is_gone(control, shares):
    """A plain model: main time, and a number of whole periods."""
    clock, now = started(control, 1, 0, START).pressed(START, 0), START
    main, periods, period = control.limit * 1000, control.periods, control.period * 1000
    for share in shares:
        took = int(share * (clock.deadline - now))
        assert clock.deadline - now == main + periods * period
        now += took
        periods -= max(0, took - main) // period
        main = max(0, main - took)
        clock = clock.pressed(now, 0)
        assert clock.control.split(clock.left[0]) == ((main, periods) if main else (period, periods))


def test_byoyomi_counts_down_its_periods():
    clock = started(Byoyomi(60, 3, 30), 2, 0, START).pressed(START, 1)
    assert [
        clock.control.split(clock.read(START + at)[1]) for at in (0, 59_999, 60_000, 90_000, 149_999)
    ] == [
        (60_000, 3),
        (1, 3),
        (30_000, 3),
        (30_000, 2),
        (1, 1),
    ]
    assert clock.deadline == START + 150_000


def test_a_bank_of_days_grows_with_each_move_up_to_its_most():
    clock = started(DaysBank(3, 1, 4), 2, 0, START)
    clock = clock.pressed(START + DAY // 2, 1).pressed(START + DAY, 0)
    assert clock.left == (3.5 * DAY, 3.5 * DAY)
    assert clock.pressed(START + DAY, 1).left == (4 * DAY, 3.5 * DAY)


def test_each_move_has_its_seconds():
    clock = started(PerMove(30), 2, 0, START).pressed(START, 1).pressed(START + 29_999, 0)
    assert clock.left == (30_000, 30_000)
    assert clock.deadline == START + 59_999


def test_weekends_off_do_not_count():
    friday_noon = MONDAY + 4 * DAY + DAY // 2
    clock = started(Correspondence(1, weekends_off=True), 2, 0, friday_noon)
    assert clock.deadline == MONDAY + 7 * DAY + DAY // 2
    assert clock.read(MONDAY + 6 * DAY)[0] == DAY // 2
    assert clock.next_stop(friday_noon) == (MONDAY + 5 * DAY, MONDAY + 7 * DAY)
    assert clock.pressed(MONDAY + 5 * DAY, 1).deadline == MONDAY + 8 * DAY


moments = st.integers(MONDAY, MONDAY + 21 * DAY)
stops = st.none() | st.tuples(moments, moments).map(lambda ends: (min(ends), max(ends)))


@given(moments, st.integers(1, 20 * DAY), st.booleans(), stops)
def test_the_end_of_a_counted_time_is_the_first_moment_that_has_it(start, duration, weekends_off, stop):
    terms = {"weekends_off": weekends_off, "stop": stop}
    end = counted_time.after(start, duration, **terms)
    assert counted_time.between(start, end, **terms) == duration
    assert counted_time.between(start, end - 1, **terms) == duration - 1


@given(moments, moments, moments, st.booleans(), stops)
def test_counted_times_add_up(first, second, third, weekends_off, stop):
    terms = {"weekends_off": weekends_off, "stop": stop}
    first, second, third = sorted((first, second, third))
    parts = counted_time.between(first, second, **terms) + counted_time.between(second, third, **terms)
    assert parts == counted_time.between(first, third, **terms)


@given(moments, stops)
def test_a_clock_stands_still_while_it_is_stopped(start, stop):
    clock = Clock(Correspondence(14), (14 * DAY,) * 2, 0, start, stop=stop)
    lost = 0 if stop is None or stop[0] > start + 14 * DAY else max(0, stop[1] - max(start, stop[0]))
    if stop is None or stop[0] != start + 14 * DAY:
        assert clock.deadline == start + 14 * DAY + lost
    if stop is not None and stop[0] >= start:
        assert clock.read(stop[0]) == clock.read(stop[1])


@given(moments, st.booleans(), st.lists(st.tuples(*[st.integers(0, 3 * DAY)] * 2), max_size=5))
def test_a_clock_stands_still_during_each_of_several_stops(start, weekends_off, pairs):
    clock = Clock(Correspondence(14, weekends_off), (14 * DAY,) * 2, 0, start)
    now, counted = start, 0
    for running, standing in pairs:
        counted += counted_time.between(now, now + running, weekends_off=weekends_off)
        stop = (now + running, now + running + standing)
        clock = clock.standing_still((stop[0], stop[1] + DAY)).standing_still(stop)  # it ends a day earlier
        now = stop[1]
        assert clock.read(now) == (max(0, 14 * DAY - counted), 14 * DAY)
    if counted < 14 * DAY:
        assert clock.deadline == counted_time.after(now, 14 * DAY - counted, weekends_off=weekends_off)


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


def test_a_stopped_clock_does_not_run():
    clock = started(Realtime(60, 0), 2, 0, START).pressed(START, 1).stopped(START + 10_000)
    assert clock.deadline is None
    assert clock.read(START + 99_000) == (60_000, 50_000)
    with pytest.raises(ValueError, match="No clock is running"):
        clock.pressed(START, 0)


@given(
    controls
    | st.builds(CommonDeadline, st.integers(0, 2 * START))
    | st.builds(DayDeadline, st.integers(0, 2 * START))
)
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
        {"kind": "correspondence", "days": 3, "weekends_off": 1},
        {"kind": "byoyomi", "limit": -1, "periods": 3, "period": 30},
        {"kind": "byoyomi", "limit": 0, "periods": 11, "period": 30},
        {"kind": "byoyomi", "limit": 0, "periods": 3, "period": 4},
        {"kind": "per_move", "seconds": 301},
        {"kind": "days_bank", "days": 3, "increment": 1, "most": 2},
        {"kind": "days_bank", "days": 3, "increment": 0, "most": 7},
        {"kind": "race"},
        {"kind": "day"},
        {"kind": "race", "until": "noon"},
        {"kind": "hourglass"},
        {},
    ):
        with pytest.raises(ValueError, match=r"\."):
            control_from_dict(members)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
)
kinds = st.sampled_from(["realtime", "byoyomi", "per_move", "correspondence", "days_bank", "race", "day"])
members = st.sampled_from(
    ["limit", "increment", "periods", "period", "seconds", "days", "most", "weekends_off", "until"]
)


@given(
    values
    | st.builds(lambda kind, rest: {**rest, "kind": kind}, kinds | values, st.dictionaries(members, values))
    | st.builds(lambda kind, until: {"kind": kind, "until": until}, st.sampled_from(["race", "day"]), values)
)
def test_any_value_is_a_control_or_a_value_error(value):
    try:
        control = control_from_dict(value)
    except ValueError:
        return
    assert value is None or control_to_dict(control) == {k: v for k, v in value.items() if v is not False}
    if isinstance(control, CommonDeadline):
        datetime.fromtimestamp(control.until / 1000, UTC)


@pytest.mark.parametrize(
    "value", [5, "race", [], {"kind": []}, {"kind": {}}, {"kind": "race", "until": 10**30}]
)
def test_what_is_no_control_is_a_value_error(value):
    with pytest.raises(ValueError, match=r"\."):
        control_from_dict(value)


def test_controls_as_text():
    assert [str(Realtime(300, 5)), str(Realtime(90, 0))] == ["5+5", "1.5+0"]
    assert [str(Correspondence(1)), str(Correspondence(7))] == ["1 day a move", "7 days a move"]
