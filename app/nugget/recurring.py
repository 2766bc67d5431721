"""The competitions that the server makes by itself: one each month, and one each quarter."""

from datetime import UTC, datetime

from sqlalchemy.dialects.postgresql import insert

from app.database.session import Database
from app.moments import utc_now
from app.nugget.models import Competition

_QUARTERS = ("first", "second", "third", "fourth")


async def make_recurring(database: Database) -> None:
    """Make the competitions of this month and quarter and of the next ones, unless they exist."""
    now = utc_now()
    rows = [
        row_of(_period(now, months, ahead))
        for row_of, months in ((_monthly, 1), (_quarterly, 3))
        for ahead in (0, 1)
    ]
    statement = insert(Competition).values(rows).on_conflict_do_nothing(index_elements=["id"])
    async with database.transaction() as session:
        await session.execute(statement)


def _monthly(period: tuple[datetime, datetime]) -> dict[str, object]:
    """Return the competition of a month: 20 boards, and the scores are public."""
    starts_at, ends_at = period
    return {
        "id": f"month-{starts_at:%Y-%m}",
        "title": f"20 boards, {starts_at:%B %Y}",
        "text": "Solve 20 boards in as few moves as you can before the month ends. The ranking is public.",
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": 20,
        "max_boards": 20,
        "visibility": "open",
    }


def _quarterly(period: tuple[datetime, datetime]) -> dict[str, object]:
    """Return the competition of a quarter: 100 boards, and the scores are sealed until its end."""
    starts_at, ends_at = period
    quarter = starts_at.month // 3
    return {
        "id": f"quarter-{starts_at.year}-{quarter + 1}",
        "title": f"100 boards, {_QUARTERS[quarter]} quarter of {starts_at.year}",
        "text": "Solve 100 boards in as few moves as you can. Nobody sees a score before the quarter ends.",
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": 100,
        "max_boards": 100,
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
