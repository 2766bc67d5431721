"""What templates show: moments in UTC, from which scripts make the reader's time."""

from datetime import UTC, datetime

from app.core.i18n.languages import reading
from app.core.web.filters import date, minute, second, utc

AT = datetime(2026, 11, 21, 8, 5, 30, 125_000, UTC)


def test_moments_are_shown_in_utc_and_can_be_read_by_scripts():
    assert minute(AT) == '<time datetime="2026-11-21T08:05+00:00">21 Nov 2026, 08:05 UTC</time>'
    assert second(AT) == '<time datetime="2026-11-21T08:05:30+00:00">21 Nov 2026, 08:05:30 UTC</time>'


def test_the_day_of_a_moment_has_the_moment_and_a_day_itself_has_none():
    assert date(AT) == '<time datetime="2026-11-21T08:05+00:00" data-day>21 Nov 2026</time>'
    assert date(AT.date()) == '<time datetime="2026-11-21">21 Nov 2026</time>'


def test_moments_are_written_as_in_the_language_of_the_reader():
    with reading("es"):
        assert utc(AT) == "21 nov 2026, 8:05 UTC"
    with reading("de"):
        assert utc(AT) == "21.11.2026, 08:05 UTC"
