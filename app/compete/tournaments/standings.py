"""The standings of tournaments, who met whom there, and the trophies of players."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import ColumnElement, Select, case, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.terms import name_of
from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.statements import made_once
from app.core.web.shown import GameId, Hidden, Rating, ShownAs, Username, example
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked, rank_now
from engine.tournaments.arena import STREAK
from engine.tournaments.pairings import PairingOutcome

_LATEST = 50  # pairings of an arena
_LAST_ID = 2**63 - 1
_PODIUM = 3
_TROPHIES = 12  # on a profile
_MAY_RISE_TO_PODIUM = 10  # the lowest rank from which closed accounts lift anybody so far
_ORDER = RankOrder(
    TournamentPlayer.stage.desc(),
    TournamentPlayer.points.desc(),
    TournamentPlayer.tie_breaks.desc(),
    TournamentPlayer.seed,
    TournamentPlayer.account_id,
    ties=3,
)
_COLUMNS: tuple[Any, ...] = (  # as StandingShown has them; plain rows are cheap
    TournamentPlayer.account_id,
    SHOWN_NAME,
    Account.is_computer,
    TournamentPlayer.rating,
    TournamentPlayer.seed,
    TournamentPlayer.group_number,
    TournamentPlayer.stage,
    TournamentPlayer.points,
    TournamentPlayer.tie_breaks,
    TournamentPlayer.games,
    TournamentPlayer.wins,
    TournamentPlayer.has_taken_part,
    TournamentPlayer.streak,
    TournamentPlayer.status,
    TournamentPlayer.game_id,
)
_TIE_BREAKS = 8  # the place of their column
_ROWS = select(*_COLUMNS).join(Account, Account.id == TournamentPlayer.account_id)
_AS_USERNAME = ShownAs(str, attrgetter("username"))

_first, _second = aliased(Account), aliased(Account)


@dataclass(frozen=True, slots=True)
class StandingShown:
    """A row of the standings.

    The tie-breaks of a Swiss tournament are Buchholz cut 1, Buchholz, Sonneborn-Berger, head to head and
    wins; those of a round robin the last three; that of an arena the wins. `on_fire`: points count double.
    A closed account whose results stay has no `username`.
    """

    rank: int
    account_id: Hidden[int]
    username: Username | None
    is_computer: bool
    rating: Rating
    seed: Hidden[int]
    group: int
    stage: Hidden[int]
    points: float
    tie_breaks: Sequence[float]
    games: int
    wins: int
    has_taken_part: Hidden[bool]
    streak: Annotated[int, Field(alias="on_fire"), ShownAs(bool, lambda wins: wins >= STREAK)]
    status: Annotated[str, example("active")]
    game_id: GameId | None  # of the game under way


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player of a pairing."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class PairingShown:
    """A pairing, in the order of the sides; `second` null is a bye.

    `outcome` is first, second (who has won), draw or neither, and null until it is decided. `is_played` is
    false if a player did not turn up.
    """

    round: int
    board: int
    leg: int
    group: int
    first: Annotated[PlayerName, _AS_USERNAME, example("wren")]
    second: Annotated[PlayerName, _AS_USERNAME, example("robin")] | None
    game_id: GameId | None
    outcome: Annotated[str, example("first")] | None
    is_played: bool


@dataclass(frozen=True, slots=True)
class Rounds:
    """The pairings of a tournament by rounds; of an arena the latest ones, and the `before` of older ones."""

    pairings: Sequence[PairingShown]
    next: int | None


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place among the first three of a tournament."""

    name: str
    tournament_id: str
    rank: int | None
    players: int
    ended_at: datetime | None


@lru_cache(maxsize=64)
def ranking(tournament_id: str) -> Ranking[StandingShown]:
    """Return the standings of a tournament."""
    is_member = (TournamentPlayer.tournament_id == tournament_id,)
    return Ranking(_ORDER, _ROWS, is_member, TournamentPlayer.account_id, is_ranked, _standing)


def final_ranks(tournament_id: str) -> Select[int, int]:
    """Return the query for the rank of each player."""
    rank = func.rank().over(order_by=_ORDER.clauses[: _ORDER.ties])
    return select(TournamentPlayer.account_id, rank.label("rank")).where(
        TournamentPlayer.tournament_id == tournament_id
    )


def knows_finalists(tournament_id: str | InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that the finalists of a tournament in groups are known."""
    finalist = aliased(TournamentPlayer)
    return exists().where(finalist.tournament_id == tournament_id, finalist.stage > 0)


async def trophies(session: AsyncSession, account_id: int) -> list[Trophy]:
    """Return the latest places of an account among the first three."""
    rows = await session.execute(*_trophies(account_id))
    return [Trophy(name_of(name, series), *rest) for name, series, *rest in rows]


@made_once
def _trophies(account_id: int) -> Select[*tuple[Any, ...]]:
    rank = rank_now(TournamentPlayer, "tournament_id")
    return (
        select(Tournament.name, Tournament.series, Tournament.id, rank, Tournament.size, Tournament.ended_at)
        .join(Tournament, Tournament.id == TournamentPlayer.tournament_id)
        .where(
            TournamentPlayer.account_id == account_id,
            is_ranked(TournamentPlayer.account_id),
            TournamentPlayer.rank <= _MAY_RISE_TO_PODIUM,
            rank <= _PODIUM,
        )
        .order_by(Tournament.ended_at.desc())
        .limit(_TROPHIES)
    )


async def winners(
    session: AsyncSession, tournament_ids: Collection[str]
) -> Mapping[str, Sequence[str | None]]:
    """Return who has won each of some tournaments that are over; None for a closed account.

    Players may share the first place. A tournament in which nobody took part has no winner.
    """
    rank = rank_now(TournamentPlayer, "tournament_id")
    query = (
        select(TournamentPlayer.tournament_id, SHOWN_NAME)
        .join(Account, Account.id == TournamentPlayer.account_id)
        .where(
            TournamentPlayer.tournament_id.in_(tournament_ids),
            is_ranked(TournamentPlayer.account_id),
            TournamentPlayer.rank <= _MAY_RISE_TO_PODIUM,
            rank == 1,
            TournamentPlayer.has_taken_part,
        )
        .order_by(TournamentPlayer.seed, TournamentPlayer.account_id)
    )
    found: defaultdict[str, list[str | None]] = defaultdict(list)
    for tournament_id, username in await session.execute(query):
        found[tournament_id].append(username)
    return found


def _standing(rank: int, row: Any) -> StandingShown:
    columns: list[Any] = list(row[: len(_COLUMNS)])
    columns[_TIE_BREAKS] = tuple(columns[_TIE_BREAKS])
    return StandingShown(rank, *columns)


async def latest_pairings(session: AsyncSession, tournament_id: str, before: int | None = None) -> Rounds:
    """Return the pairings of the last waves of an arena, or the last ones before the one with an id."""
    found = await session.execute(*_latest_pairings(tournament_id, _LAST_ID if before is None else before))
    rows = found.all()
    shown = rows[:_LATEST]
    older = shown[-1].id if len(rows) > _LATEST else None
    return Rounds(_read_pairings(row[:-1] for row in shown), older)


@made_once
def _latest_pairings(tournament_id: str, before: int) -> Select[*tuple[Any, ...]]:
    query = _pairings(TournamentPairing.tournament_id == tournament_id, TournamentPairing.id < before)
    latest = query.add_columns(TournamentPairing.id).order_by(TournamentPairing.id.desc())
    return latest.limit(_LATEST + 1)


async def pairings(
    session: AsyncSession, tournament_id: str, *conditions: ColumnElement[bool]
) -> list[PairingShown]:
    """Return the pairings of a tournament that meet some conditions, in the order of rounds and boards."""
    query = _pairings(TournamentPairing.tournament_id == tournament_id, *conditions)
    in_order = query.order_by(TournamentPairing.round, TournamentPairing.board, TournamentPairing.leg)
    return await asyncio.to_thread(_read_pairings, await session.execute(in_order))  # there may be many


def podium(rows: Iterable[StandingShown]) -> list[StandingShown]:
    """Return the players in the first three places, which they may share; not those who took no part."""
    return [row for row in rows if row.rank <= _PODIUM and row.has_taken_part]


async def podium_games(
    session: AsyncSession, tournament_id: str, account_ids: Collection[int]
) -> dict[int, str]:
    """Return the last game that each of some accounts has won in a tournament, or else has played."""
    if not account_ids:
        return {}
    pairing = TournamentPairing
    has_won = (
        case((Account.id == pairing.first_id, PairingOutcome.FIRST), else_=PairingOutcome.SECOND)
        == pairing.outcome
    )
    rows = await session.execute(
        select(Account.id, pairing.game_id)
        .join(pairing, plays(Account.id))
        .where(
            Account.id.in_(account_ids),
            pairing.tournament_id == tournament_id,
            pairing.is_played,
            pairing.game_id.is_not(None),
        )
        .distinct(Account.id)
        .order_by(Account.id, has_won.desc().nulls_last(), pairing.id.desc())
    )
    return {account_id: game_id for account_id, game_id in rows if game_id}


async def is_undecided(session: AsyncSession, game_id: str) -> bool:
    """Return whether the pairing of a game has no outcome yet."""
    found = exists().where(TournamentPairing.game_id == game_id, TournamentPairing.outcome.is_(None))
    return bool(await session.scalar(select(found)))


def is_playing(
    tournament_id: str | InstrumentedAttribute[str], account_id: int | InstrumentedAttribute[int]
) -> ColumnElement[bool]:
    """Return the condition that an account has a pairing without an outcome in a tournament."""
    return exists().where(
        TournamentPairing.tournament_id == tournament_id,
        TournamentPairing.outcome.is_(None),
        plays(account_id),
    )


def in_round(number: int) -> ColumnElement[bool]:
    """Return the condition that a pairing belongs to a round."""
    return TournamentPairing.round == number


def plays(account_id: int | InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Return the condition that an account plays in a pairing."""
    return or_(TournamentPairing.first_id == account_id, TournamentPairing.second_id == account_id)


def _pairings(*conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for pairings that meet some conditions; its rows are plain ones, which are cheap."""
    return (
        select(
            TournamentPairing.round,
            TournamentPairing.board,
            TournamentPairing.leg,
            TournamentPairing.group_number,
            TournamentPairing.first_id,
            _first.username,
            TournamentPairing.second_id,
            _second.username,
            TournamentPairing.game_id,
            TournamentPairing.outcome,
            TournamentPairing.is_played,
        )
        .join(_first, _first.id == TournamentPairing.first_id)
        .outerjoin(_second, _second.id == TournamentPairing.second_id)
        .where(*conditions)
    )


def _read_pairings(rows: Any) -> list[PairingShown]:
    return [
        PairingShown(
            number,
            board,
            leg,
            group,
            PlayerName(first_id, first),
            None if second_id is None else PlayerName(second_id, second),
            *rest,
        )
        for number, board, leg, group, first_id, first, second_id, second, *rest in rows
    ]
