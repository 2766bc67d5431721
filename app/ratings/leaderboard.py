"""The leaderboard of a game: settled ratings in order, provisional ones apart, and their distribution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Float, and_, cast, extract, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.identity.models import Account
from app.ratings.models import PlayerRating
from engine.glicko2 import PERIODS_PER_DAY, PROVISIONAL_ABOVE, SCALE, Rating

BIN = 50  # points a bar of the distribution

_days = cast(extract("epoch", func.now() - PlayerRating.updated_at), Float) / 86_400
_deviation_now = func.sqrt(
    func.power(PlayerRating.deviation, 2)
    + func.power(SCALE * PlayerRating.volatility, 2) * _days * PERIODS_PER_DAY
)
_SETTLED = _deviation_now <= PROVISIONAL_ABOVE


@dataclass(frozen=True, slots=True)
class Standing:
    """One row: `rank` among the settled ratings (equal ones share it), None for a provisional one."""

    rank: int | None
    account_id: int
    username: str
    is_computer: bool
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player stands: the rank, and the percentage of settled players with a lower rating."""

    rank: int
    percentile: float


async def page(
    session: AsyncSession, game: str, cursor: str, limit: int
) -> tuple[list[Standing], str | None]:
    """Give a page of the leaderboard and the cursor of the next one. Raises InvalidError `bad_cursor`."""
    rows = await _rows(session, game, _SETTLED, *_after(cursor), limit=limit + 1)
    if not rows:
        return [], None
    first: PlayerRating = rows[0][0]
    better = PlayerRating.rating > first.rating
    equal_before = and_(PlayerRating.rating == first.rating, PlayerRating.account_id < first.account_id)
    rank = 1 + await _count(session, game, better)
    before = await _count(session, game, or_(better, equal_before))
    ranked: list[Standing] = []
    for place, row in enumerate(rows[:limit]):
        if ranked and ranked[-1].rating.rating != row[0].rating:
            rank = before + place + 1
        ranked.append(_standing(row, rank))
    last: PlayerRating = rows[limit - 1][0] if len(rows) > limit else first
    return ranked, f"{last.rating!r}_{last.account_id}" if len(rows) > limit else None


async def provisional(session: AsyncSession, game: str, limit: int) -> list[Standing]:
    """Give the highest provisional ratings."""
    return [_standing(row, None) for row in await _rows(session, game, ~_SETTLED, limit=limit)]


async def place(session: AsyncSession, game: str, rating: Rating) -> Place | None:
    """Tell where a rating stands, or None for a provisional one."""
    if rating.is_provisional:
        return None
    better = await _count(session, game, PlayerRating.rating > rating.rating)
    worse = await _count(session, game, PlayerRating.rating < rating.rating)
    everybody = await _count(session, game)
    return Place(better + 1, 100 * worse / max(1, everybody))


async def distribution(session: AsyncSession, game: str) -> list[tuple[int, int]]:
    """Count the settled players by their ratings: (lowest rating of the bar, players), without gaps."""
    bar = (func.floor(PlayerRating.rating / BIN) * BIN).label("bar")
    rows = await session.execute(
        select(bar, func.count()).where(PlayerRating.game == game, _SETTLED).group_by(bar)
    )
    counts = {int(start): count for start, count in rows.tuples()}
    if not counts:
        return []
    return [(start, counts.get(start, 0)) for start in range(min(counts), max(counts) + BIN, BIN)]


async def _rows(
    session: AsyncSession, game: str, *conditions: ColumnElement[bool], limit: int
) -> Sequence[Any]:
    query = (
        select(PlayerRating, Account.username, Account.is_computer)
        .join(Account, Account.id == PlayerRating.account_id)
        .where(PlayerRating.game == game, PlayerRating.games > 0, *conditions)
        .order_by(PlayerRating.rating.desc(), PlayerRating.account_id)
        .limit(limit)
    )
    return (await session.execute(query)).all()


async def _count(session: AsyncSession, game: str, *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(PlayerRating).where(PlayerRating.game == game, _SETTLED)
    return await session.scalar(query.where(*conditions)) or 0


def _after(cursor: str) -> list[ColumnElement[bool]]:
    if not cursor:
        return []
    try:
        rating, account_id = cursor.split("_")
        value, number = float(rating), int(account_id)
    except ValueError:
        raise InvalidError("bad_cursor", "Take the cursor from `next` of the page before.") from None
    return [
        or_(
            PlayerRating.rating < value,
            and_(PlayerRating.rating == value, PlayerRating.account_id > number),
        )
    ]


def _standing(row: Any, rank: int | None) -> Standing:
    known, username, is_computer = row
    return Standing(
        rank,
        known.account_id,
        username,
        is_computer,
        Rating(known.rating, known.deviation, known.volatility),
        known.games,
    )
