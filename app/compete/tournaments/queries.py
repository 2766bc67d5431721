"""Tournaments with their terms, and the lists of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    SmallInteger,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    text,
    type_coerce,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import Team
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.standings import is_playing, knows_finalists
from app.compete.tournaments.terms import (
    CALLED,
    LONGEST_WAIT,
    TournamentKind,
    TournamentPlan,
    TournamentTerms,
    members_of,
    name_of,
)
from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import read_row, readable, readable_page
from app.core.errors import NotFoundError, found
from app.core.moments import utc_now
from app.core.web.look_alikes import skeleton
from app.people.identity.models import Account
from app.play.games.models import Game
from app.play.games.queries import playing_in_real_time
from engine.clock import REALTIME_KINDS, control_from_dict
from engine.game import with_defaults
from engine.registry import FOR_TWO

OPEN = ("created", "started")
"""The statuses of tournaments that are not over."""

_is_realtime = Tournament.time_control["kind"].astext.in_(REALTIME_KINDS)
_may_be_joined = and_(  # see `decisions.closed_to_others`; arenas are in real time
    Tournament.kind == TournamentKind.SWISS,
    Tournament.plan["rounds"] >= func.to_jsonb(2 * Tournament.round),
    Tournament.size < Tournament.max_players,
)
_lasts = type_coerce(case((_is_realtime, 0), (_may_be_joined, 1), else_=2), SmallInteger)
"""Tournaments by correspondence are under way for months: others come first, and those that can be joined."""

_MOST_OF_TEAM = 10  # on a page
_PAST = RankOrder(Tournament.ended_at.desc(), Tournament.id, ties=2)
_ORDERS: Mapping[str, RankOrder] = {
    "created": RankOrder(Tournament.starts_at, Tournament.id, ties=2),
    "filling": RankOrder(Tournament.size.desc(), Tournament.created_at.desc(), Tournament.id, ties=2),
    "started": RankOrder(_lasts, Tournament.starts_at, Tournament.id, ties=3),
    "open": RankOrder(Tournament.created_at.desc(), Tournament.id, ties=2),
}
"""The orders of lists of tournaments that are not over."""

_TOURNAMENTS = (
    select(Tournament, Account.username, Team.name)
    .outerjoin(Account, Account.id == Tournament.organiser_id)
    .outerjoin(Team, Team.id == Tournament.team_id)
    .execution_options(populate_existing=True)
)


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """A tournament. `organiser` is None for those that the server makes, `team` the name of the only team.

    `rounds` is the number of all rounds, None while it is unknown; `round` the one that is played.
    """

    id: str
    terms: TournamentTerms
    team: str | None
    status: str
    organiser: str | None
    organiser_id: int | None
    series: str | None
    has_password: bool
    size: int
    round: int
    created_at: datetime
    started_at: datetime | None
    ends_at: datetime | None
    pause_until: datetime | None
    ended_at: datetime | None
    reason: str

    @property
    def rounds(self) -> int | None:
        """Return the number of all rounds, None if it depends on who joins or there are none."""
        match self.terms.kind:
            case TournamentKind.SWISS:
                return self.terms.plan.rounds
            case TournamentKind.KNOCK_OUT if self.status != "created":
                return max(1, (self.size - 1).bit_length())
        return None

    @property
    def is_time_up(self) -> bool:
        """Return whether an arena has come to its end, but for games under way."""
        return self.ends_at is not None and utc_now() >= self.ends_at

    @property
    def waits_until(self) -> datetime:
        """Return when it is cancelled if it has not been full by then."""
        return self.created_at + LONGEST_WAIT


def terms_of(row: Tournament) -> TournamentTerms:
    """Return the terms of a stored tournament. Raise UnreadableError."""
    return read_row(_terms, row)


def _terms(row: Tournament) -> TournamentTerms:
    rules = FOR_TWO[row.game]
    special = {
        "name": name_of(row.name, row.series),
        "kind": TournamentKind(row.kind),
        "options": with_defaults(rules.options, row.options),
        "control": control_from_dict(row.time_control),
        "plan": TournamentPlan.from_dict(row.plan),
        "is_called": CALLED in row.plan,
    }
    return TournamentTerms(**members_of(TournamentTerms, row) | special)


async def get(session: AsyncSession, tournament_id: str) -> TournamentInfo:
    """Return a tournament. Raise NotFoundError, UnreadableError."""
    rows = (await session.execute(*_of_id(tournament_id))).all()
    if not rows:
        raise NotFoundError("tournament")
    return read_row(_info, *rows[0])


@made_once
def _of_id(tournament_id: str) -> Select[Tournament, str, str]:
    return _TOURNAMENTS.where(Tournament.id == tournament_id)


async def locked(session: AsyncSession, tournament_id: str) -> Tournament:
    """Return a tournament, locked until the transaction ends. Raise NotFoundError."""
    return found(
        await session.scalar(
            select(Tournament).where(Tournament.id == tournament_id).with_for_update(key_share=True)
        ),
        "tournament",
    )


async def listing(session: AsyncSession, status: str, cursor: str, limit: int) -> RankedPage[TournamentInfo]:
    """Return tournaments with a status: those that are over beginning with the last, others by start.

    Of those under way, the ones in real time come first, then those that can be joined. The status `filling`
    is of those that start when they are full, the fullest first; the others that are `created` have a start.
    The status `open` is of all that are not over, the last to be made first.

    Raise InvalidError `bad_cursor`.
    """
    order = _order_of(status)
    query = order.select_page(_listing(status), cursor, limit) if cursor else _first_page(status, limit)
    page = order.page((await session.execute(query)).all(), limit, lambda row: row[3:])
    return RankedPage(tuple(readable(_info, (row[:3] for row in page.rows))), page.next)


@lru_cache(64)
def _first_page(status: str, limit: int) -> Select[*tuple[Any, ...]]:
    return _order_of(status).select_page(_listing(status), "", limit)


@cache
def _listing(status: str) -> Select[*tuple[Any, ...]]:
    """Return the query for tournaments with a status, and for the columns of their order."""
    return _with_status(status).add_columns(*_order_of(status).expressions)


async def now_and_soon(session: AsyncSession, limit: int) -> list[TournamentInfo]:
    """Return the first tournaments that are played, and the first that come, at most `limit` of each.

    Those by correspondence, which are played for months, are last.
    """
    return readable(_info, await session.execute(_now_and_soon(limit)))


@cache
def _now_and_soon(limit: int) -> Select[Tournament, str, str]:
    first = union_all(*(select(_first_page(status, limit).limit(limit).subquery().c.id) for status in OPEN))
    order = case((Tournament.status == "created", 1), (_is_realtime, 0), else_=2)
    return _TOURNAMENTS.where(Tournament.id.in_(first)).order_by(
        order, case((Tournament.status == "started", _lasts)), Tournament.starts_at, Tournament.id
    )


def _order_of(status: str) -> RankOrder:
    return _ORDERS.get(status, _PAST)


@cache
def _with_status(status: str) -> Select[Tournament, str, str]:
    match status:
        case "created":
            return _TOURNAMENTS.where(Tournament.status == status, Tournament.starts_at.is_not(None))
        case "filling":
            return _TOURNAMENTS.where(Tournament.status == "created", Tournament.starts_at.is_(None))
        case "open":
            return _TOURNAMENTS.where(Tournament.status.in_(OPEN))
    return _TOURNAMENTS.where(Tournament.status == status)


async def of_account(session: AsyncSession, account_id: int) -> list[TournamentInfo]:
    """Return the tournaments that an account takes part in and that are not over."""
    return readable(_info, await session.execute(*_of_account(account_id)))


@made_once
def _of_account(account_id: int) -> Select[Tournament, str, str]:
    query = _TOURNAMENTS.where(Tournament.status.in_(OPEN), has_joined(account_id))
    return query.order_by(Tournament.starts_at, Tournament.id)


async def of_team(session: AsyncSession, team_id: str, number: int) -> tuple[Sequence[TournamentInfo], bool]:
    """Return a page of the tournaments of a team, and whether there is a next one.

    Those that are not over come first, by their start, then the last ones.
    """
    query = _TOURNAMENTS.where(Tournament.team_id == team_id, Tournament.status != "cancelled")
    order = (Tournament.ended_at.desc().nulls_first(), Tournament.starts_at, Tournament.id)
    page = query.order_by(*order).offset(_MOST_OF_TEAM * (number - 1)).limit(_MOST_OF_TEAM + 1)
    return readable_page(_info, (await session.execute(page)).all(), _MOST_OF_TEAM)


_LOCK_NAMES = text("SELECT pg_advisory_xact_lock(hashtextextended('tournaments like ' || :skeleton, 0))")


async def has_look_alike(session: AsyncSession, name: str, tournament_id: str) -> bool:
    """Return whether another tournament that is not over has a name in other letters that looks like a name.

    No other transaction can make one until the end of this one.
    """
    look = skeleton(name)
    await session.execute(_LOCK_NAMES, {"skeleton": look})
    twins = exists().where(
        Tournament.skeleton == look,
        Tournament.status.in_(OPEN),
        Tournament.id != tournament_id,
        func.lower(Tournament.name) != func.lower(name),
    )
    return bool(await session.scalar(select(twins)))


def count_open(account_id: int) -> Select[int]:
    """Return the query for the number of an organiser's tournaments that are not over."""
    return select(func.count()).where(Tournament.organiser_id == account_id, Tournament.status.in_(OPEN))


def count_joined(account_id: int) -> Select[int]:
    """Return the query for the number of tournaments, not over, in which an account may have a game to come.

    A player who is out of a tournament cannot leave it.
    """
    query = select(func.count()).join_from(Tournament, TournamentPlayer)
    return query.where(
        Tournament.status.in_(OPEN),
        TournamentPlayer.account_id == account_id,
        TournamentPlayer.status != "withdrawn",
        or_(Tournament.status == "created", is_playing(Tournament.id, account_id), _may_be_paired()),
    )


async def free_for(session: AsyncSession, tournament: Tournament, account_ids: Collection[int]) -> set[int]:
    """Return those of some players to whom a tournament may give a game now, locked until the commit.

    In real time a person gets one game at a time. An arena leaves out who plays another game, or is in a
    tournament with rounds. A round waits for the games of other tournaments, but for none that players begin
    by themselves: one of them could hold up all others. Who is locked may be getting a game just now, and is
    left out, too. Programs play many games at once.
    """
    if not account_ids or not terms_of(tournament).is_realtime:
        return set(account_ids)
    seats = select(Account.id, Account.is_computer).where(is_one_of(Account.id, list(account_ids)))
    rows = await session.execute(seats.order_by(Account.id).with_for_update(key_share=True, skip_locked=True))
    is_computer = {row.id: row.is_computer for row in rows}
    people = {account_id for account_id, is_one in is_computer.items() if not is_one}
    if not people:
        return set(is_computer)
    if tournament.kind == TournamentKind.ARENA:
        busy = await playing_in_real_time(session, people, Game.tournament_id.is_distinct_from(tournament.id))
        busy |= frozenset(await session.scalars(_in_rounds(people)))
    else:
        busy = await playing_in_real_time(session, people, Game.tournament_id != tournament.id)
    return is_computer.keys() - busy


def _in_rounds(account_ids: Collection[int]) -> Select[int]:
    """Return the query for accounts that may have a game to come in a round in real time."""
    player_id = TournamentPlayer.account_id
    return (
        select(player_id)
        .join_from(Tournament, TournamentPlayer)
        .where(
            is_one_of(player_id, list(account_ids)),
            TournamentPlayer.status == "active",
            Tournament.status == "started",
            Tournament.kind != TournamentKind.ARENA,
            _is_realtime,
            or_(is_playing(Tournament.id, player_id), _may_be_paired()),
        )
    )


def _may_be_paired() -> ColumnElement[bool]:
    """Return the condition that a player of a tournament under way may get a pairing; see `is_eliminated`."""
    final_has_begun = exists().where(
        TournamentPairing.tournament_id == Tournament.id, TournamentPairing.group_number == 0
    )
    may_reach_final = or_(TournamentPlayer.stage > 0, ~knows_finalists(Tournament.id))
    kind, plan, number = Tournament.kind, Tournament.plan, Tournament.round
    return or_(
        kind == TournamentKind.ARENA,
        and_(kind == TournamentKind.SWISS, plan["rounds"] > func.to_jsonb(number)),
        and_(kind == TournamentKind.KNOCK_OUT, TournamentPlayer.points >= number),
        and_(
            kind == TournamentKind.ROUND_ROBIN,
            plan["promoted"] > func.to_jsonb(0),
            ~final_has_begun,
            may_reach_final,
        ),
    )


async def players_of(session: AsyncSession, tournament_id: str) -> list[TournamentPlayer]:
    """Return the players of a tournament who have not withdrawn."""
    rows = await session.scalars(
        select(TournamentPlayer).where(
            TournamentPlayer.tournament_id == tournament_id, TournamentPlayer.status != "withdrawn"
        )
    )
    return list(rows)


def has_joined(account_id: int) -> ColumnElement[bool]:
    """Return the condition that an account takes part in a tournament."""
    return Tournament.id.in_(_joined_by(account_id))


def _joined_by(account_id: int) -> Select[str]:
    return select(TournamentPlayer.tournament_id).where(
        TournamentPlayer.account_id == account_id, TournamentPlayer.status != "withdrawn"
    )


def _info(row: Tournament, organiser: str, team: str) -> TournamentInfo:
    special = {"terms": _terms(row), "team": team, "organiser": organiser}
    has_password = row.password_hash is not None
    return TournamentInfo(**members_of(TournamentInfo, row) | special, has_password=has_password)
