"""Ladders as they are read: the table, the challenges, the changes, and what is due."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final

from sqlalchemy import ColumnElement, Select, and_, exists, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.compete.ladders.ladder import ChallengeOutcome, ChangeKind
from app.compete.ladders.models import LadderChallenge, LadderChange, LadderPlayer
from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.core.database.unreadable import readable_page
from app.core.errors import found
from app.core.web.registered import GameKey
from app.core.web.shown import AS_TEXT, GameId, Hidden, Id, Opponent, Username, example
from app.people.identity.models import Account, Vacation
from app.people.identity.ranked import is_ranked_by_rating
from app.people.identity.sanctions import SanctionKind
from app.play.games.models import Game

_ORDER = RankOrder(LadderPlayer.place, ties=1)
_PLAYERS = select(LadderPlayer.account_id, Account.username, LadderPlayer.joined_at).join(
    Account, Account.id == LadderPlayer.account_id
)
_DUE: Final = """
SELECT game FROM ladder_challenges WHERE outcome IS NULL AND game_id IS NULL AND due_at <= $1
UNION
SELECT challenge.game FROM ladder_challenges challenge JOIN games ON games.id = challenge.game_id
WHERE challenge.outcome IS NULL AND games.ended_at IS NOT NULL
UNION
SELECT challenge.game FROM ladder_challenges challenge JOIN games ON games.id = challenge.game_id
WHERE challenge.outcome IN ('won', 'defended', 'drawn') AND games.voided_at IS NOT NULL
UNION
SELECT game FROM ladder_players WHERE inactive_at <= $1
UNION
SELECT game FROM ladder_players player JOIN accounts ON accounts.id = player.account_id
WHERE accounts.closed_at IS NOT NULL OR accounts.is_computer
UNION
SELECT game FROM ladder_players player JOIN sanctions ON sanctions.account_id = player.account_id
WHERE sanctions.kind = $2 AND sanctions.until > $1
"""

_OF_GAMES: Final = """
SELECT DISTINCT game FROM ladder_challenges WHERE game_id = ANY($1) AND outcome IS NULL
"""


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """A player and their place."""

    account_id: int
    username: str
    joined_at: datetime
    place: int


@dataclass(frozen=True, slots=True)
class LadderChallengeShown:
    """A challenge on a ladder, which the defender has to accept before `due_at`.

    `game_id` is null until then. `outcome` is null until it is decided: won (by the challenger), defended,
    drawn, forfeited (by the defender), withdrawn or void.
    """

    id: Id
    game: GameKey
    challenger_id: Hidden[int]
    challenger: Username
    defender_id: Hidden[int]
    defender: Opponent
    made_at: datetime
    due_at: datetime
    game_id: GameId | None
    outcome: Annotated[str, example("won")] | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class LadderChangeShown:
    """What happened on a ladder: joined, left, removed, won, drawn, forfeited, dropped or voided.

    With an `opponent`, `player` won, or defended the place with a draw; `voided` takes that back.
    The places are those of `player`.
    """

    id: int
    kind: Annotated[ChangeKind, AS_TEXT, example("won")]
    player: Username
    opponent: Opponent | None
    game_id: GameId | None
    place_before: int | None
    place_after: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class LadderChanges:
    """What happened on a ladder, the latest first; `older` is the id before which the next part ends."""

    changes: Sequence[LadderChangeShown]
    older: int | None


@cache
def table(game: str) -> Ranking[PlacedPlayer]:
    """Return the ladder of a game as a ranking."""
    is_on = (LadderPlayer.game == game,)
    return Ranking(
        _ORDER, _PLAYERS, is_on, LadderPlayer.account_id, is_ranked_by_rating, _placed, is_of_site=True
    )


async def sizes(session: AsyncSession) -> Mapping[str, int]:
    """Return the number of players of each ladder that has any."""
    rows = await session.execute(select(LadderPlayer.game, func.count()).group_by(LadderPlayer.game))
    return dict(rows.all())


async def between(session: AsyncSession, game: str, first: int, last: int) -> list[PlacedPlayer]:
    """Return the players from one place to another."""
    rows = await session.execute(
        _PLAYERS.add_columns(LadderPlayer.place)
        .where(LadderPlayer.game == game, LadderPlayer.place.between(first, last))
        .order_by(LadderPlayer.place)
    )
    return [PlacedPlayer(*row) for row in rows]


async def open_challenges(session: AsyncSession, game: str) -> list[LadderChallengeShown]:
    """Return the challenges on a ladder that are not decided."""
    rows = await session.execute(_challenges(LadderChallenge.game == game, LadderChallenge.outcome.is_(None)))
    return [LadderChallengeShown(*row) for row in rows]


async def challenge(session: AsyncSession, challenge_id: str) -> LadderChallengeShown:
    """Return a challenge. Raise NotFoundError."""
    row = found(
        (await session.execute(_challenges(LadderChallenge.id == challenge_id))).one_or_none(), "challenge"
    )
    return LadderChallengeShown(*row)


async def changes(session: AsyncSession, game: str, before: int | None, limit: int) -> LadderChanges:
    """Return what has happened on a ladder before a change with an id, at most `limit` changes."""
    player, opponent = aliased(Account), aliased(Account)
    rows = await session.execute(
        select(LadderChange, player.username, opponent.username)
        .join(player, player.id == LadderChange.account_id)
        .outerjoin(opponent, opponent.id == LadderChange.opponent_id)
        .where(LadderChange.game == game, true() if before is None else LadderChange.id < before)
        .order_by(LadderChange.id.desc())
        .limit(limit + 1)
    )
    latest, has_more = readable_page(_change, rows.all(), limit)
    return LadderChanges(latest, latest[-1].id if latest and has_more else None)


async def on_vacation(session: AsyncSession, account_ids: Collection[int], now: datetime) -> set[int]:
    """Return those of some accounts that are on vacation."""
    is_away = (Vacation.since <= now, Vacation.until > now)
    rows = await session.scalars(
        select(Vacation.account_id).where(Vacation.account_id.in_(account_ids), *is_away)
    )
    return set(rows)


async def due(database: Database, now: datetime) -> list[str]:
    """Return the games on whose ladders something is due."""
    rows = await database.pool.fetch(_DUE, now, SanctionKind.NO_RATED)
    return [row["game"] for row in rows]


async def of_games(database: Database, game_ids: Collection[str]) -> list[str]:
    """Return the games on whose ladders a challenge waits for the end of one of these games."""
    rows = await database.pool.fetch(_OF_GAMES, game_ids)
    return [row["game"] for row in rows]


async def ended_games(session: AsyncSession, game_ids: Collection[str]) -> list[Game]:
    """Return those of some games that have ended, in the order of their ends."""
    rows = await session.scalars(
        select(Game).where(Game.id.in_(game_ids), Game.ended_at.is_not(None)).order_by(Game.ended_at, Game.id)
    )
    return list(rows)


async def voided(session: AsyncSession, game: str) -> list[tuple[LadderChallenge, LadderChange]]:
    """Return the challenges whose games were voided after they counted, with what those have changed."""
    rows = await session.execute(
        select(LadderChallenge, LadderChange)
        .join(Game, Game.id == LadderChallenge.game_id)
        .join(LadderChange, LadderChange.game_id == Game.id)
        .where(
            LadderChallenge.game == game,
            LadderChallenge.outcome.in_(
                (ChallengeOutcome.WON, ChallengeOutcome.DEFENDED, ChallengeOutcome.DRAWN)
            ),
            Game.voided_at.is_not(None),
        )
        .order_by(LadderChange.id.desc())
    )
    return [(challenge, change) for challenge, change in rows]


async def has_moved(session: AsyncSession, change: LadderChange) -> bool:
    """Return whether the order of a ladder has changed since a change.

    A player who joined at its end does not count, nor do results whose voiding has restored it.
    """
    other = aliased(LadderChange)
    is_undone = exists().where(
        _moves_after(other, change), other.game_id == LadderChange.game_id, other.id != LadderChange.id
    )
    return bool(await session.scalar(select(exists().where(_moves_after(LadderChange, change), ~is_undone))))


def _moves_after(later: type[LadderChange], change: LadderChange) -> ColumnElement[bool]:
    """Return the condition that a later change is one of the order."""
    return and_(
        later.game == change.game,
        later.id > change.id,
        later.kind != ChangeKind.JOINED,
        later.place_before.is_distinct_from(later.place_after),
    )


def _challenges(*conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for challenges that meet some conditions, with the members of LadderChallengeShown."""
    challenger, defender = aliased(Account), aliased(Account)
    return (
        select(
            LadderChallenge.id,
            LadderChallenge.game,
            LadderChallenge.challenger_id,
            challenger.username,
            LadderChallenge.defender_id,
            defender.username,
            LadderChallenge.made_at,
            LadderChallenge.due_at,
            LadderChallenge.game_id,
            LadderChallenge.outcome,
            LadderChallenge.ended_at,
        )
        .join(challenger, challenger.id == LadderChallenge.challenger_id)
        .join(defender, defender.id == LadderChallenge.defender_id)
        .where(*conditions)
        .order_by(LadderChallenge.due_at, LadderChallenge.id)
    )


def _change(row: LadderChange, player: str, opponent: str | None) -> LadderChangeShown:
    return LadderChangeShown(
        row.id, ChangeKind(row.kind), player, opponent, row.game_id, row.place_before, row.place_after, row.at
    )


def _placed(_rank: int, row: Any) -> PlacedPlayer:
    return PlacedPlayer(*row)  # its own place: whoever has just been excluded keeps one for seconds
