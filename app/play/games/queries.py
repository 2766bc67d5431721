"""Lists of games: a player's games, and running games to watch."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    extract,
    func,
    not_,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.statements import is_one_of
from app.core.database.unreadable import readable, readable_page
from app.core.moments import from_datetime
from app.people.identity.models import Account
from app.play.games.game import RATED_FROM
from app.play.games.models import STRENGTH
from app.play.games.models import Game as GameRow
from engine.clock import REALTIME_KINDS, TimeControl, control_from_dict
from engine.game import Side, Termination, with_defaults
from engine.registry import rules_for

_LIVELY = timedelta(minutes=10)
_STRONGEST = 1_000
_FIRST_PLIES = 8
_BY_LEAVING = (Termination.RESIGN, Termination.TIME, Termination.LEFT)

_first, _second = aliased(Account), aliased(Account)
_WITH_NAMES = (  # made once: that takes much longer than adding conditions
    select(GameRow, _first.username, _second.username)
    .join(_first, _first.id == GameRow.first_player)
    .outerjoin(_second, _second.id == GameRow.second_player)
)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of one of its players; only a solitaire game has `points` and no opponent."""

    id: str
    game: str
    options: Mapping[str, int]
    status: str
    ply: int
    plies_played: int
    position: Any
    opponent: str | None
    side: Side
    side_to_move: Side | None
    updated_at: datetime
    rated: bool
    control: TimeControl | None
    deadline: int | None
    winner: Side | None
    change: float | None
    points: float | None

    @property
    def is_my_turn(self) -> bool:
        """Return whether it is the account's turn."""
        return self.side_to_move == self.side

    @property
    def rating_change(self) -> int | None:
        """Return by how much the game changed the account's rating, rounded; None if it did not."""
        return None if self.change is None else round(self.change)


def played_by(account_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an account plays in a game."""
    return or_(GameRow.first_player == account_id, GameRow.second_player == account_id)


def count_under_way(account_id: int, *conditions: ColumnElement[bool]) -> Select[int]:
    """Return the query for the number of an account's running games that meet some conditions."""
    return select(func.count()).where(played_by(account_id), is_under_way(), *conditions)


def count_against_computers(account_id: int) -> Select[int]:
    """Return the query for the number of an account's running games against the server's computers."""
    return count_under_way(account_id, against_computer())


def against_computer() -> ColumnElement[bool]:
    """Return the condition that a computer of the server plays in a game."""
    is_computer = select(Account.id).where(Account.computer_level.is_not(None))
    return or_(GameRow.first_player.in_(is_computer), GameRow.second_player.in_(is_computer))


async def summaries(
    session: AsyncSession,
    account_id: int,
    *conditions: ColumnElement[bool],
    limit: int,
    offset: int = 0,
) -> tuple[list[GameSummary], bool]:
    """Return games as one of their players sees them, the running ones first, then the latest.

    Return at most `limit` of them, and whether there are more. The query is kept for conditions that are the
    same objects.
    """
    values = {"account_ids": [account_id], "most": limit + 1, "skipped": offset, "reach": limit + 1 + offset}
    rows = await session.execute(_summaries(*conditions), values)
    return readable_page(_summary, _of_account(account_id, rows), limit)


async def summaries_under_way(
    session: AsyncSession, account_id: int, *conditions: ColumnElement[bool], limit: int
) -> list[GameSummary]:
    """Return an account's running games as it sees them, the latest first, at most `limit`.

    The query is kept for conditions that are the same objects.
    """
    values = {"account_id": account_id, "most": limit}
    rows = await session.execute(_summaries_under_way(*conditions), values)
    return readable(_summary, _of_account(account_id, rows))


def _of_account(account_id: int, rows: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return rows of games with the names of their players as the arguments of `_summary`."""
    return [(game, account_id, (first_name, second_name)) for game, first_name, second_name in rows]


async def rated_under_way(session: AsyncSession, account_ids: Iterable[int], game: str) -> list[str]:
    """Return the ids of the rated games that some accounts are playing."""
    is_theirs = or_(GameRow.first_player.in_(account_ids), GameRow.second_player.in_(account_ids))
    query = select(GameRow.id).where(is_theirs, is_under_way(), GameRow.rated)
    return list(await session.scalars(query.where(GameRow.game == game)))


async def playing_in_real_time(
    session: AsyncSession, account_ids: Collection[int], *conditions: ColumnElement[bool]
) -> frozenset[int]:
    """Return those of some accounts that play games for two in real time that meet some conditions."""
    ids = list(account_ids)
    is_theirs = or_(is_one_of(GameRow.first_player, ids), is_one_of(GameRow.second_player, ids))
    is_live = GameRow.time_control["kind"].astext.in_(REALTIME_KINDS)
    query = select(GameRow.first_player, GameRow.second_player)
    rows = await session.execute(query.where(is_theirs, is_under_way(), for_two(), is_live, *conditions))
    return frozenset(player for pair in rows for player in pair if player in account_ids)


async def in_correspondence(session: AsyncSession, account_id: int) -> list[str]:
    """Return the ids of an account's running games for two with a clock of days for a move."""
    kind = GameRow.time_control["kind"].astext
    query = select(GameRow.id).where(
        played_by(account_id), is_under_way(), for_two(), GameRow.time_control.is_not(None)
    )
    return list(await session.scalars(query.where(kind.not_in(REALTIME_KINDS)).order_by(GameRow.id)))


@lru_cache(64)
def _summaries(*conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for an account's latest games: scans of the indexes of both seats, then the games.

    The scans have the order of the indexes alone, with all games that are equal in it, and an array of one
    account. PostgreSQL makes one plan for all accounts, most of which have few games: for a single account or
    another order it would read and sort all games of those that have thousands.
    """
    account_ids: Any = bindparam("account_ids")
    seats = [
        select(GameRow.id, GameRow.ended_at, GameRow.updated_at)
        .where(is_one_of(seat, account_ids), *conditions)
        .order_by(seat.desc(), GameRow.ended_at.desc().nulls_first())
        .fetch(bindparam("reach"), with_ties=True)
        for seat in (GameRow.first_player, GameRow.second_player)
    ]
    either = union_all(*seats).subquery().c
    latest = select(either.id).order_by(*_latest_first(either)).limit(bindparam("most"))
    are_latest = GameRow.id.in_(latest.offset(bindparam("skipped")))
    return _WITH_NAMES.where(are_latest).order_by(*_latest_first(GameRow))


@lru_cache(64)
def _summaries_under_way(*conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    are_own = played_by(bindparam("account_id")), is_under_way(), *conditions
    return _WITH_NAMES.where(*are_own).order_by(*_latest_first(GameRow)).limit(bindparam("most"))


def _latest_first(game: Any) -> tuple[ColumnElement[Any], ...]:
    """Return the order of games, of the table or of the columns of a query."""
    return game.ended_at.desc().nulls_first(), game.updated_at.desc(), game.id.asc()


@cache
def is_under_way() -> ColumnElement[bool]:
    """Return the condition that a game is under way, in the form for which its players' indexes are used."""
    return and_(GameRow.status == "started", GameRow.ended_at.is_(None))


@cache
def counts() -> ColumnElement[bool]:
    """Return the condition that a game has a result that counts: no moderator has voided it."""
    return and_(GameRow.status == "finished", GameRow.voided_at.is_(None))


@cache
def cut_short_by() -> ColumnElement[int | None]:
    """Return the seat of the player to blame for a game that does not count, or null.

    That is who aborted it, or who lost a rated game in other ways than by its rules while it was too short to
    be rated (`GameState.is_too_short_to_rate`).
    """
    size = GameRow.options["size"].as_integer()
    is_too_short = GameRow.ply - GameRow.first_ply < func.least(RATED_FROM, size * size // 2)
    has_left = GameRow.rated & is_too_short & GameRow.termination.in_(_BY_LEAVING)
    return func.coalesce(GameRow.aborted_by, case((has_left, 1 - GameRow.winner_seat)))


def for_two() -> ColumnElement[bool]:
    """Return the condition that a game is for two."""
    return GameRow.second_player.is_not(None)


@cache
def is_shown_to_all() -> ColumnElement[bool]:
    """Return the condition that everybody may see a game's board; see `GameState.is_private`."""
    moment = func.to_jsonb(extract("epoch", func.now()) * 1000, type_=JSONB)
    return (GameRow.time_control["until"] > moment).is_not(true())


async def to_watch(
    session: AsyncSession, *conditions: ColumnElement[bool], limit: int, offset: int = 0
) -> list[str]:
    """Return the ids of running games for two, lively ones first, then by the players' strength and age.

    They are chosen from the `_STRONGEST` ones, which an index lists. A game without a running clock in which
    nobody has moved lately is left out.
    """
    values = {"most": limit, "skipped": offset}
    return list(await session.scalars(_to_watch(*conditions), values))


@lru_cache(64)
def _to_watch(*conditions: ColumnElement[bool]) -> Select[str]:
    goes_on = or_(GameRow.updated_at > func.now() - _LIVELY, GameRow.deadline.is_not(None))
    strongest = (
        select(GameRow.id, GameRow.updated_at, STRENGTH.label("strength"), GameRow.created_at)
        .where(GameRow.status == "started", for_two(), goes_on, *conditions)
        .order_by(STRENGTH.desc(), GameRow.created_at.desc(), GameRow.id)
        .limit(_STRONGEST)
        .subquery()
    )
    return (
        select(strongest.c.id)
        .order_by(
            (strongest.c.updated_at > func.now() - _LIVELY).desc(),
            strongest.c.strength.desc(),
            strongest.c.created_at.desc(),
            strongest.c.id,
        )
        .limit(bindparam("most"))
        .offset(bindparam("skipped"))
    )


async def being_played(session: AsyncSession, account_ids: Collection[int]) -> dict[int, str]:
    """Return the ids of the games for two that some accounts are playing now, by account.

    Of several games of an account it is the one that changed last, within ten minutes.
    """
    if not account_ids:
        return {}
    is_theirs = or_(GameRow.first_player.in_(account_ids), GameRow.second_player.in_(account_ids))
    rows = await session.execute(
        select(GameRow.first_player, GameRow.second_player, GameRow.id)
        .where(is_theirs, is_under_way(), for_two(), GameRow.updated_at > func.now() - _LIVELY)
        .order_by(GameRow.updated_at)
    )
    return {
        player: game_id
        for *players, game_id in rows
        for player in players
        if player is not None and player in account_ids
    }


@cache
def has_begun() -> ColumnElement[bool]:
    """Return the condition that there is something to see on a game's board."""
    return GameRow.ply >= _FIRST_PLIES


@lru_cache(64)
def watched(game: str | None, rated: bool | None, *, is_of_people: bool) -> Sequence[ColumnElement[bool]]:
    """Return the conditions that a game has a key, is rated or casual (None: any), and is between people."""
    conditions: list[ColumnElement[bool]] = []
    if game is not None:
        conditions.append(GameRow.game == game)
    if rated is not None:
        conditions.append(GameRow.rated.is_(rated))
    if is_of_people:
        conditions.append(not_(against_computer()))
    return conditions


def _summary(row: GameRow, account_id: int, usernames: tuple[str, str | None]) -> GameSummary:
    is_solitaire = row.second_player is None
    rules = rules_for(row.game, 1 if is_solitaire else 2)
    seat = 0 if row.first_player == account_id else 1
    position = rules.parse(row.position)
    changes = row.rating_changes
    if changes and len(changes) != len(rules.sides):
        raise ValueError(f"The ratings of {len(changes)} sides changed.")
    return GameSummary(
        id=row.id,
        game=row.game,
        options=with_defaults(rules.options, row.options),
        status=row.status,
        ply=row.ply,
        plies_played=row.ply - row.first_ply,
        position=position,
        opponent=usernames[1 - seat],
        side=rules.sides[seat],
        side_to_move=rules.side_to_move(position) if row.status == "started" else None,
        updated_at=row.updated_at,
        rated=row.rated,
        control=control_from_dict(row.time_control),
        deadline=from_datetime(row.deadline) if row.deadline else None,
        winner=None if row.winner_seat is None else rules.sides[row.winner_seat],
        change=changes[seat] if changes else None,
        points=rules.score(position)[rules.sides[seat]] if is_solitaire else None,
    )
