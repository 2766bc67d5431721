"""What templates show: moments in UTC, from which scripts make the reader's time."""

from datetime import UTC, datetime, timedelta

import pytest

from app.core.i18n.languages import reading
from app.core.moments import from_datetime, utc_now
from app.core.web.filters import clock_until, date, minute, second, time_left, utc, when

AT = datetime(2026, 11, 21, 8, 5, 30, 125_000, UTC)


def test_moments_are_shown_in_utc_and_can_be_read_by_scripts():
    zone = "<noscript> UTC</noscript>"
    assert minute(AT) == f'<time datetime="2026-11-21T08:05+00:00">21 Nov 2026, 08:05{zone}</time>'
    assert second(AT) == f'<time datetime="2026-11-21T08:05:30+00:00">21 Nov 2026, 08:05:30{zone}</time>'


def test_the_day_of_a_moment_has_the_moment_and_a_day_itself_has_none():
    assert date(AT) == '<time datetime="2026-11-21T08:05+00:00" data-day>21 Nov 2026</time>'
    assert date(AT.date()) == '<time datetime="2026-11-21">21 Nov 2026</time>'


def test_moments_are_written_as_in_the_language_of_the_reader():
    with reading("es"):
        assert utc(AT) == "21 nov 2026, 8:05 UTC"
    with reading("de"):
        assert utc(AT) == "21.11.2026, 08:05 UTC"


@pytest.mark.parametrize(
    ("away", "shown"),
    [
        (timedelta(hours=3, minutes=59), "in 3 hours"),
        (timedelta(days=2, hours=23), "in 2 days"),
        (timedelta(seconds=-30), "just now"),
        (timedelta(minutes=-4), "4 minutes ago"),
        (timedelta(hours=-24, minutes=-1), "1 day ago"),
    ],
)
def test_a_moment_that_is_near_is_told_by_how_far_away_it_is_and_has_its_date(away, shown):
    moment = utc_now() + away
    told = when(moment)
    assert ' data-relative="just now" ' in told
    assert f' aria-live="off">{shown}</time>' in told
    assert f'title="{utc(moment)}"' in told


def test_a_moment_is_told_to_the_minute_that_its_date_shows():
    minute = utc_now().replace(second=0, microsecond=0)
    assert ">in 25 minutes</time>" in when(minute + timedelta(minutes=26, seconds=59))


@pytest.mark.parametrize("away", [timedelta(days=8), timedelta(days=-8)])
def test_a_moment_that_is_far_away_is_told_by_its_date(away):
    moment = utc_now() + away
    assert when(moment) == minute(moment)


def test_how_far_away_a_moment_is_is_said_in_the_language_of_the_reader():
    moment = utc_now() + timedelta(hours=2, minutes=5)
    shown = {"de": "in 2 Stunden", "es": "dentro de 2 horas", "pl": "za 2 godziny"}
    for language, text in shown.items():
        with reading(language):
            assert f">{text}</time>" in when(moment)


def test_the_time_left_has_the_date_of_its_end():
    end = utc_now() + timedelta(hours=5, minutes=1)
    assert ' aria-live="off">5 hours left</time>' in time_left(from_datetime(end))
    assert f'title="{utc(end)}"' in time_left(from_datetime(end))


def test_a_clock_shows_the_time_until_a_moment_and_nothing_after_it():
    assert clock_until(from_datetime(utc_now() + timedelta(days=2, minutes=1))) == "2 days"
    assert clock_until(from_datetime(utc_now() - timedelta(minutes=1))) == "0:00"
