"""How vacation is saved up and used, as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.play.vacations.decisions import DAY, MOST_DAYS, at_first

BEGINNING = 1_800_000_000_000


def test_a_new_account_has_a_week_and_a_year_adds_thirty_days_up_to_thirty():
    allowance = at_first(BEGINNING)
    assert allowance.days_left(BEGINNING) == 7
    assert allowance.left(BEGINNING + 73 * DAY) == 13 * DAY
    assert allowance.days_left(BEGINNING + 10_000 * DAY) == MOST_DAYS


def test_nothing_is_added_during_a_vacation():
    allowance = at_first(BEGINNING).begun(7, BEGINNING)
    assert allowance.until(BEGINNING + 7 * DAY - 1) == BEGINNING + 7 * DAY
    assert allowance.until(BEGINNING + 7 * DAY) is None
    assert allowance.left(BEGINNING + 7 * DAY) == 0
    assert allowance.left(BEGINNING + 80 * DAY) == 6 * DAY


@pytest.mark.parametrize(("ended_after", "used"), [(1, DAY), (DAY, DAY), (2 * DAY + 5, 2 * DAY + 5)])
def test_a_vacation_that_ends_early_uses_what_it_took_but_at_least_a_day(ended_after, used):
    now = BEGINNING + ended_after
    allowance = at_first(BEGINNING).begun(5, BEGINNING).ended(now)
    assert allowance.left(now) == 7 * DAY - used
    assert allowance.until(now) is None
    assert allowance.vacation == (BEGINNING, now)


@given(st.lists(st.tuples(st.integers(0, 60 * DAY), st.integers(1, 30), st.floats(0, 1)), max_size=8))
def test_nobody_takes_more_vacation_than_was_added(steps):
    allowance, now, taken = at_first(BEGINNING), BEGINNING, 0
    for pause, wanted, share in steps:
        now += pause
        days = min(wanted, allowance.days_left(now))
        if not days:
            continue
        allowance = allowance.begun(days, now)
        since, until = allowance.vacation
        now = since + int(share * (until - since))
        if now < until:
            allowance = allowance.ended(now)
        taken += now - since
        assert 0 <= allowance.left(now) <= MOST_DAYS * DAY
        assert taken <= 7 * DAY + (now - BEGINNING) * MOST_DAYS // 365
