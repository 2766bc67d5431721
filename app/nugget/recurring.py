"""The competitions that the server makes by itself: one each month, and one each quarter."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.i18n.text import Month, Quarter, Text, _
from app.core.jobs.series import make_each
from app.core.moments import utc_now
from app.nugget.models import Competition

_MONTHLY, _QUARTERLY = 20, 100  # boards

_RowOf = Callable[[tuple[datetime, datetime]], Mapping[str, object]]


_MONTHLY_TEXT = _(
    "Solve %(boards)s boards in as few moves as you can before the month ends. The ranking is public.",
    boards=_MONTHLY,
)
_QUARTERLY_TEXT = _(
    "Solve %(boards)s boards in as few moves as you can. Nobody sees a score before the quarter ends.",
    boards=_QUARTERLY,
)


async def make_recurring(database: Database) -> None:
    """Make the competitions of this month and quarter and of the next ones, unless they exist."""
    await make_each(
        {
            "monthly": partial(_make, database, _monthly, 1),
            "quarterly": partial(_make, database, _quarterly, 3),
        }
    )


async def _make(database: Database, row_of: _RowOf, months: int) -> None:
    now = utc_now()
    rows = [row_of(_period(now, months, ahead)) for ahead in (0, 1)]
    statement = insert(Competition).values(rows).on_conflict_do_nothing(index_elements=["id"])
    async with database.transaction() as session:
        await session.execute(statement)


def texts_of(competition: Competition) -> tuple[str, str]:
    """Return the title and the text of a competition; if the server made it, in the reader's language."""
    if competition.organiser_id is None and competition.id.startswith("month-"):
        return _monthly_title(competition.starts_at), _MONTHLY_TEXT
    if competition.organiser_id is None and competition.id.startswith("quarter-"):
        return _quarterly_title(competition.starts_at), _QUARTERLY_TEXT
    return competition.title, competition.text


def _monthly_title(starts_at: datetime) -> Text:
    month = Month(starts_at.year, starts_at.month, 1)
    return _("%(boards)s boards, %(month)s", boards=_MONTHLY, month=month)


def _quarterly_title(starts_at: datetime) -> Text:
    quarter = Quarter(starts_at.year, starts_at.month, 1)
    return _("%(boards)s boards, %(quarter)s", boards=_QUARTERLY, quarter=quarter)


def _monthly(period: tuple[datetime, datetime]) -> dict[str, object]:
    """Return the competition of a month: 20 boards, and the scores are public."""
    starts_at, ends_at = period
    return {
        "id": f"month-{starts_at:%Y-%m}",
        "title": _monthly_title(starts_at),
        "text": _MONTHLY_TEXT,
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": _MONTHLY,
        "max_boards": _MONTHLY,
        "visibility": "open",
    }


def _quarterly(period: tuple[datetime, datetime]) -> dict[str, object]:
    """Return the competition of a quarter: 100 boards, and the scores are sealed until its end."""
    starts_at, ends_at = period
    return {
        "id": f"quarter-{starts_at.year}-{starts_at.month // 3 + 1}",
        "title": _quarterly_title(starts_at),
        "text": _QUARTERLY_TEXT,
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": _QUARTERLY,
        "max_boards": _QUARTERLY,
        "visibility": "sealed",
    }


def _period(now: datetime, months: int, ahead: int) -> tuple[datetime, datetime]:
    """Return the first moments of a period of so many months and of the one after it, in UTC.

    `ahead` is 0 for the period that `now` is in and 1 for the next one.
    """
    first = (now.year * 12 + now.month - 1) // months * months + ahead * months
    return _month(first), _month(first + months)


def _month(number: int) -> datetime:
    """Return the first moment of a month, which are counted from year 0 on."""
    year, month = divmod(number, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)
