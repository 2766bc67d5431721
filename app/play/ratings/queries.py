"""Ratings of accounts as of now, and writing those that were computed again, with the changes behind them.

A deviation grows with the time since the last rated game.
"""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, Select, Text, literal_column, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import readable
from app.core.moments import utc_now
from app.play.ratings.counting import ChangedRating, CountedRating, PlayersRating, Rated, RatedGame
from app.play.ratings.models import PlayerRating, SpeedRating
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

_MARK = literal_column("ratings.xmin::text", Text).label("mark")  # another one after each write of the row

_WRITE_CHANGES = text("""
UPDATE rating_changes SET before = new.before, after = new.after, deviation = new.deviation,
    volatility = new.volatility
FROM unnest(
    CAST(:games AS text[]), CAST(:accounts AS bigint[]), CAST(:before AS float8[]), CAST(:after AS float8[]),
    CAST(:deviations AS float8[]), CAST(:volatilities AS float8[])
) AS new(game_id, account_id, before, after, deviation, volatility)
WHERE rating_changes.game_id = new.game_id AND rating_changes.account_id = new.account_id
""")

_WRITE_GAMES = text("""
UPDATE games SET rating_changes = ARRAY[new.first, new.second]
FROM unnest(CAST(:games AS text[]), CAST(:first AS float8[]), CAST(:second AS float8[]))
    AS new(id, first, second)
WHERE games.id = new.id
""")

_WRITE_COUNTED = text("""
UPDATE rating_changes SET counted = new.counted_in IS NOT NULL,
    counted_in = nullif(new.counted_in, rating_changes.game_id)
FROM unnest(CAST(:games AS text[]), CAST(:accounts AS bigint[]), CAST(:counted_in AS text[]))
    AS new(game_id, account_id, counted_in)
WHERE rating_changes.game_id = new.game_id AND rating_changes.account_id = new.account_id
""")

_WRITE_RATINGS = text("""
UPDATE ratings SET rating = new.rating, deviation = new.deviation, volatility = new.volatility,
    updated_at = coalesce(new.at, ratings.updated_at)
FROM unnest(
    CAST(:accounts AS bigint[]), CAST(:ratings AS float8[]), CAST(:deviations AS float8[]),
    CAST(:volatilities AS float8[]), CAST(:at AS timestamptz[])
) AS new(account_id, rating, deviation, volatility, at)
WHERE ratings.game = :game AND ratings.account_id = new.account_id
""")

_COUNT = text("""
UPDATE ratings SET games = counted.games, opponents = counted.opponents
FROM (
    SELECT one.account_id, count(own.game_id) AS games,
        count(DISTINCT other.account_id) FILTER (WHERE own.counted) AS opponents
    FROM unnest(CAST(:accounts AS bigint[])) AS one(account_id)
    LEFT JOIN rating_changes own ON own.account_id = one.account_id AND own.game = :game
    LEFT JOIN rating_changes other ON other.game_id = own.game_id AND other.account_id <> own.account_id
    GROUP BY one.account_id
) counted
WHERE ratings.game = :game AND ratings.account_id = counted.account_id
""")


def as_of_now(row: PlayerRating | SpeedRating) -> PlayersRating:
    """Return a stored rating with its deviation as of now."""
    rated = Rated(Rating(row.rating, row.deviation, row.volatility), row.updated_at)
    return CountedRating(rated, row.opponents, row.games).as_of(utc_now())


async def current(session: AsyncSession, game: str, account_ids: Sequence[int]) -> dict[int, PlayersRating]:
    """Return the ratings of accounts at a game; an account that never played it has the initial rating."""
    rows = await session.scalars(
        select(PlayerRating).where(PlayerRating.game == game, PlayerRating.account_id.in_(account_ids))
    )
    known = {row.account_id: as_of_now(row) for row in rows}
    return {account_id: known.get(account_id, PlayersRating()) for account_id in account_ids}


async def of_accounts(
    session: AsyncSession, account_ids: Sequence[int]
) -> dict[int, dict[str, PlayersRating]]:
    """Return the ratings of accounts as `of_account` does, by account; none for one without rated games."""
    if not account_ids:
        return {}
    rows = await session.scalars(*_of_accounts(account_ids))
    by_account: dict[int, dict[str, PlayersRating]] = {}
    for account_id, game, rating in readable(_rated, rows):
        by_account.setdefault(account_id, {})[game] = rating
    return by_account


@made_once
def _of_accounts(account_ids: Sequence[int]) -> Select[PlayerRating]:
    return select(PlayerRating).where(is_one_of(PlayerRating.account_id, account_ids))


async def of_account(session: AsyncSession, account_id: int) -> dict[str, PlayersRating]:
    """Return an account's ratings by game."""
    return (await of_accounts(session, [account_id])).get(account_id, {})


def _rated(row: PlayerRating) -> tuple[int, str, PlayersRating]:
    return row.account_id, FOR_TWO[row.game].key, as_of_now(row)


async def marks(session: AsyncSession, game: str, *conditions: ColumnElement[bool]) -> dict[int, str]:
    """Return a mark of each rating at a kind of game that meets some conditions: writing it changes it."""
    return {row.account_id: row.mark for row in await session.execute(_marks(game, *conditions))}


async def lock(session: AsyncSession, game: str, seen: Mapping[int, str]) -> bool:
    """Lock ratings at a kind of game; return whether their marks are those seen: nobody has written them."""
    query = _marks(game, is_one_of(PlayerRating.account_id, list(seen)))
    # In the order of the accounts, as rating a game does.
    rows = await session.execute(query.order_by(PlayerRating.account_id).with_for_update())
    return {row.account_id: row.mark for row in rows} == seen


def _marks(game: str, *conditions: ColumnElement[bool]) -> Select[int, str]:
    return select(PlayerRating.account_id, _MARK).where(PlayerRating.game == game, *conditions)


async def write_changes(session: AsyncSession, changes: Sequence[ChangedRating]) -> None:
    """Write the changes of games, which come in pairs."""
    await session.execute(
        _WRITE_CHANGES,
        {
            "games": [change.game_id for change in changes],
            "accounts": [change.account_id for change in changes],
            "before": [change.before.rating for change in changes],
            "after": [change.after.rating for change in changes],
            "deviations": [change.after.deviation for change in changes],
            "volatilities": [change.after.volatility for change in changes],
        },
    )
    pairs = list(zip(changes[::2], changes[1::2], strict=True))
    await session.execute(
        _WRITE_GAMES,
        {
            "games": [first.game_id for first, _second in pairs],
            "first": [first.points for first, _second in pairs],
            "second": [second.points for _first, second in pairs],
        },
    )


async def write_counted(session: AsyncSession, games: Sequence[RatedGame]) -> None:
    """Write what counted, and in which game, for all results of some games."""
    counted_in: dict[tuple[str, int], str | None] = {
        (game.id, player): None for game in games for player in game.players
    }
    for game in games:
        for seat, player in enumerate(game.players):
            counted_in |= {(each.game_id, player): game.id for each in game.counting(seat)}
    await session.execute(
        _WRITE_COUNTED,
        {
            "games": [game_id for game_id, _player in counted_in],
            "accounts": [player for _game_id, player in counted_in],
            "counted_in": list(counted_in.values()),
        },
    )


async def write_ratings(session: AsyncSession, game: str, ratings: Mapping[int, Rated]) -> None:
    """Write ratings at a kind of game."""
    await session.execute(
        _WRITE_RATINGS,
        {
            "game": game,
            "accounts": list(ratings),
            "ratings": [rated.rating.rating for rated in ratings.values()],
            "deviations": [rated.rating.deviation for rated in ratings.values()],
            "volatilities": [rated.rating.volatility for rated in ratings.values()],
            "at": [rated.at for rated in ratings.values()],
        },
    )


async def count_games(session: AsyncSession, game: str, accounts: Collection[int]) -> None:
    """Count the rated games and the opponents of accounts again."""
    await session.execute(_COUNT, {"game": game, "accounts": list(accounts)})
