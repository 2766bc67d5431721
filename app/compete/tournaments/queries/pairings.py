"""The pairings of tournaments."""

import asyncio
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any

from sqlalchemy import ColumnElement, Select, and_, exists, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.compete.tournaments.models import TournamentPairing
from app.core.web.shown import GameId, ShownAs, example
from app.people.identity.models import Account

_LATEST = 50  # pairings of an arena


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player of a pairing."""

    id: int
    username: str


_AS_USERNAME = ShownAs(str, attrgetter("username"))


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


async def latest_of(session: AsyncSession, tournament_id: str) -> list[PairingShown]:
    """Return the pairings of the last waves of an arena, the latest first."""
    query = _pairings(TournamentPairing.tournament_id == tournament_id)
    latest = query.order_by(TournamentPairing.id.desc()).limit(_LATEST)
    return _read_pairings(await session.execute(latest))


async def all_of(
    session: AsyncSession, tournament_id: str, *conditions: ColumnElement[bool]
) -> list[PairingShown]:
    """Return the pairings of a tournament that meet some conditions, in the order of rounds and boards."""
    query = _pairings(TournamentPairing.tournament_id == tournament_id, *conditions)
    in_order = query.order_by(TournamentPairing.round, TournamentPairing.board, TournamentPairing.leg)
    return await asyncio.to_thread(_read_pairings, await session.execute(in_order))  # there may be many


async def is_open(session: AsyncSession, game_id: str) -> bool:
    """Return whether the pairing of a game has no outcome yet."""
    found = exists().where(TournamentPairing.game_id == game_id, TournamentPairing.outcome.is_(None))
    return bool(await session.scalar(select(found)))


async def is_playing(session: AsyncSession, tournament_id: str, account_id: int) -> bool:
    """Return whether an account has a pairing without an outcome in a tournament."""
    found = exists().where(
        TournamentPairing.tournament_id == tournament_id,
        TournamentPairing.outcome.is_(None),
        plays(account_id),
    )
    return bool(await session.scalar(select(found)))


def in_round(number: int) -> ColumnElement[bool]:
    """Return the condition that a pairing belongs to a round."""
    return TournamentPairing.round == number


def plays(account_id: int) -> ColumnElement[bool]:
    """Return the condition that an account plays in a pairing."""
    return or_(TournamentPairing.first_id == account_id, TournamentPairing.second_id == account_id)


_first, _second = aliased(Account), aliased(Account)


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
        .where(and_(literal(value=True), *conditions))
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
