"""The speed of time controls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime
from engine.speed import Speed, speed_of


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        (Realtime(599, 0), Speed.BLITZ),
        (Realtime(300, 7), Speed.BLITZ),
        (Realtime(600, 0), Speed.RAPID),
        (Realtime(300, 8), Speed.RAPID),
        (Byoyomi(0, 5, 14), Speed.BLITZ),
        (Byoyomi(60, 1, 15), Speed.RAPID),
        (PerMove(14), Speed.BLITZ),
        (PerMove(15), Speed.RAPID),
        (Correspondence(1), Speed.CORRESPONDENCE),
        (DaysBank(1, 1, 2), Speed.CORRESPONDENCE),
        (None, Speed.CORRESPONDENCE),
    ],
)
def test_the_speed_is_the_time_for_forty_moves(control, speed):
    assert speed_of(control) is speed


@given(st.builds(Realtime, st.integers(60, 10_800), st.integers(0, 180)), st.integers(0, 180))
def test_more_time_is_never_faster(control, more):
    slower = Realtime(control.limit, min(180, control.increment + more))
    assert list(Speed).index(speed_of(slower)) >= list(Speed).index(speed_of(control))
