"""The competitions that the server makes by itself: one each month, and one each quarter."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.i18n.text import Month, Quarter, Text, _
from app.core.keep_going import make_each
from app.core.moments import utc_now
from app.nugget.models import Competition


@dataclass(frozen=True, slots=True)
class _Series:
    """Competitions of so many boards, of which each lasts some months. `id_of` and `title` need its start."""

    months: int
    boards: int
    visibility: str
    id_of: Callable[[datetime], str]
    title: Callable[[datetime], Text]
    text: Text


_MONTHLY = _Series(
    1,
    20,
    "open",
    lambda start: f"month-{start:%Y-%m}",
    lambda start: _("%(boards)s boards, %(month)s", boards=20, month=Month(start.year, start.month, 1)),
    _(
        "Solve %(boards)s boards in as few moves as you can before the month ends. The ranking is public.",
        boards=20,
    ),
)
_QUARTERLY = _Series(
    3,
    100,
    "sealed",
    lambda start: f"quarter-{start.year}-{start.month // 3 + 1}",
    lambda start: _(
        "%(boards)s boards, %(quarter)s", boards=100, quarter=Quarter(start.year, start.month, 1)
    ),
    _(
        "Solve %(boards)s boards in as few moves as you can. Nobody sees a score before the quarter ends.",
        boards=100,
    ),
)


async def make_recurring(database: Database) -> None:
    """Make the competitions of this month and quarter and of the next ones, unless they exist."""
    await make_each(
        {
            "monthly": partial(_make, database, _MONTHLY),
            "quarterly": partial(_make, database, _QUARTERLY),
        }
    )


async def _make(database: Database, series: _Series) -> None:
    now = utc_now()
    rows = [_row(series, *_period(now, series.months, ahead)) for ahead in (0, 1)]
    statement = insert(Competition).values(rows).on_conflict_do_nothing(index_elements=["id"])
    async with database.transaction() as session:
        await session.execute(statement)


def texts_of(competition: Competition) -> tuple[str, str]:
    """Return the title and the text of a competition; if the server made it, in the reader's language."""
    for series in (_MONTHLY, _QUARTERLY):
        if competition.organiser_id is None and competition.id == series.id_of(competition.starts_at):
            return series.title(competition.starts_at), series.text
    return competition.title, competition.text


def _row(series: _Series, starts_at: datetime, ends_at: datetime) -> dict[str, object]:
    return {
        "id": series.id_of(starts_at),
        "title": series.title(starts_at),
        "text": series.text,
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": series.boards,
        "max_boards": series.boards,
        "visibility": series.visibility,
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
