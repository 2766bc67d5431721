"""Tournaments, their standings and pairings, read from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.database.ranking import Order, RankedPage, Ranking
from app.errors import NotFoundError
from app.i18n.text import Text, _
from app.identity.models import Account
from app.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.tournaments.terms import Plan, Terms, TournamentKind
from engine.clock import control_from_dict

OPEN = ("created", "started")
"""The statuses of tournaments that are not over."""

_NAMES_OF_SERIES: Mapping[str, Text] = {
    str(name): name for name in (_("Hourly arena"), _("Daily arena"), _("Weekly arena"))
}
_PODIUM = 3
_LATEST = 50  # pairings of an arena
_ORDER = Order(
    TournamentPlayer.stage.desc(),
    TournamentPlayer.points.desc(),
    TournamentPlayer.tie_breaks.desc(),
    TournamentPlayer.seed,
    TournamentPlayer.account_id,
    ties=3,
)
_PAST = Order(Tournament.ended_at.desc(), Tournament.id, ties=2)
_COMING = Order(Tournament.starts_at, Tournament.id, ties=2)


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """A tournament. `organiser` is None for those that the server makes.

    `rounds` is the number of all rounds, None while it is unknown; `round` the one that is played.
    """

    id: str
    terms: Terms
    status: str
    organiser: str | None
    organiser_id: int | None
    series: str | None
    has_password: bool
    size: int
    round: int
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


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings. `streak` are the last wins in a row; `game_id` is the game under way."""

    rank: int
    account_id: int
    username: str
    is_computer: bool
    rating: int
    seed: int
    group: int
    stage: int
    points: float
    tie_breaks: Sequence[float]
    games: int
    wins: int
    streak: int
    status: str
    game_id: str | None


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player of a pairing."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class PairingInfo:
    """A pairing; without a `second` player it is a bye. `outcome` is None until it is decided."""

    round: int
    board: int
    leg: int
    group: int
    first: PlayerName
    second: PlayerName | None
    game_id: str | None
    outcome: str | None
    is_played: bool


@dataclass(frozen=True, slots=True)
class Results:
    """A tournament with all of its standings and pairings."""

    info: TournamentInfo
    standings: Sequence[Standing]
    pairings: Sequence[PairingInfo]


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place among the first three of a tournament."""

    tournament_id: str
    name: str
    game: str
    rank: int | None
    players: int
    ended_at: datetime | None


def terms_of(row: Tournament) -> Terms:
    """Return the terms of a stored tournament."""
    return Terms(
        name=row.name if row.series is None else _NAMES_OF_SERIES.get(row.name, row.name),
        kind=TournamentKind(row.kind),
        game=row.game,
        options=row.options,
        control=control_from_dict(row.time_control),
        rated=row.rated,
        plan=Plan.from_dict(row.plan),
        starts_at=row.starts_at,
        max_players=row.max_players,
        rating_min=row.rating_min,
        rating_max=row.rating_max,
        min_games=row.min_games,
        team_id=row.team_id,
        computers=row.computers,
        chat=row.chat,
        description=row.description,
    )


async def get(session: AsyncSession, tournament_id: str) -> TournamentInfo:
    """Return a tournament. Raise NotFoundError."""
    found = await _infos(session, _tournaments().where(Tournament.id == tournament_id))
    if not found:
        raise NotFoundError("tournament")
    return found[0]


async def listing(session: AsyncSession, status: str, cursor: str, limit: int) -> RankedPage[TournamentInfo]:
    """Return tournaments with a status: those that are over beginning with the last, others by start."""
    order = _COMING if status in OPEN else _PAST
    query = _tournaments().where(Tournament.status == status).order_by(*order.clauses).limit(limit + 1)
    if status == "created":
        query = query.where(Tournament.starts_at.is_not(None))
    if cursor:
        query = query.where(order.after(order.from_cursor(cursor)))
    rows = await _infos(session, query)
    following = None
    if len(rows) > limit:
        last = rows[limit - 1]
        following = order.to_cursor((last.terms.starts_at if status in OPEN else last.ended_at, last.id))
    return RankedPage(tuple(rows[:limit]), following)


async def filling(session: AsyncSession, limit: int) -> list[TournamentInfo]:
    """Return tournaments that start when they are full, the fullest first."""
    is_filling = (Tournament.status == "created", Tournament.starts_at.is_(None))
    query = _tournaments().where(*is_filling)
    return await _infos(session, query.order_by(Tournament.size.desc(), Tournament.id).limit(limit))


async def of_account(session: AsyncSession, account_id: int) -> list[TournamentInfo]:
    """Return the tournaments that an account takes part in and that are not over."""
    has_joined = select(TournamentPlayer.tournament_id).where(
        TournamentPlayer.account_id == account_id, TournamentPlayer.status != "withdrawn"
    )
    query = _tournaments().where(Tournament.status.in_(OPEN), Tournament.id.in_(has_joined))
    return await _infos(session, query.order_by(Tournament.starts_at, Tournament.id))


async def trophies(session: AsyncSession, account_id: int, limit: int) -> list[Trophy]:
    """Return the latest places of an account among the first three."""
    rows = await session.execute(
        select(
            Tournament.id,
            Tournament.name,
            Tournament.game,
            TournamentPlayer.rank,
            Tournament.size,
            Tournament.ended_at,
        )
        .join(Tournament, Tournament.id == TournamentPlayer.tournament_id)
        .where(TournamentPlayer.account_id == account_id, TournamentPlayer.rank <= _PODIUM)
        .order_by(Tournament.ended_at.desc())
        .limit(limit)
    )
    return [Trophy(*row) for row in rows]


def ranking(tournament_id: str) -> Ranking[Standing]:
    """Return the standings of a tournament."""
    rows = select(TournamentPlayer, Account.username, Account.is_computer).join(
        Account, Account.id == TournamentPlayer.account_id
    )
    is_member = (TournamentPlayer.tournament_id == tournament_id,)
    return Ranking(_ORDER, rows, is_member, TournamentPlayer.account_id, _standing)


def final_ranks(tournament_id: str) -> Select[int, int]:
    """Return the query for the rank of each player."""
    rank = func.rank().over(order_by=_ORDER.clauses[: _ORDER.ties])
    return select(TournamentPlayer.account_id, rank.label("rank")).where(
        TournamentPlayer.tournament_id == tournament_id
    )


async def latest_pairings(session: AsyncSession, tournament_id: str) -> list[PairingInfo]:
    """Return the pairings of the last waves of an arena, the latest first."""
    query = _pairings(TournamentPairing.tournament_id == tournament_id)
    latest = query.order_by(TournamentPairing.id.desc()).limit(_LATEST)
    return _read_pairings(await session.execute(latest))


async def pairings(
    session: AsyncSession, tournament_id: str, *conditions: ColumnElement[bool]
) -> list[PairingInfo]:
    """Return the pairings of a tournament that meet some conditions, in the order of rounds and boards."""
    query = _pairings(TournamentPairing.tournament_id == tournament_id, *conditions)
    in_order = query.order_by(TournamentPairing.round, TournamentPairing.board, TournamentPairing.leg)
    return _read_pairings(await session.execute(in_order))


def in_round(number: int) -> ColumnElement[bool]:
    """Return the condition that a pairing belongs to a round."""
    return TournamentPairing.round == number


def plays(account_id: int) -> ColumnElement[bool]:
    """Return the condition that an account plays in a pairing."""
    return or_(TournamentPairing.first_id == account_id, TournamentPairing.second_id == account_id)


def count_open(organiser_id: int) -> Select[int]:
    """Return the query for the number of an organiser's tournaments that are not over."""
    return select(func.count()).where(Tournament.organiser_id == organiser_id, Tournament.status.in_(OPEN))


def count_joined(account_id: int) -> Select[int]:
    """Return the query for the number of tournaments, not over, that an account takes part in."""
    return (
        select(func.count())
        .select_from(TournamentPlayer)
        .join(Tournament, Tournament.id == TournamentPlayer.tournament_id)
        .where(
            TournamentPlayer.account_id == account_id,
            TournamentPlayer.status != "withdrawn",
            Tournament.status.in_(OPEN),
        )
    )


def _tournaments() -> Select[Tournament, str]:
    return select(Tournament, Account.username).outerjoin(Account, Account.id == Tournament.organiser_id)


async def _infos(session: AsyncSession, query: Select[Tournament, str]) -> list[TournamentInfo]:
    rows = await session.execute(query.execution_options(populate_existing=True))
    return [
        TournamentInfo(
            id=row.id,
            terms=terms_of(row),
            status=row.status,
            organiser=organiser,
            organiser_id=row.organiser_id,
            series=row.series,
            has_password=row.password_hash is not None,
            size=row.size,
            round=row.round,
            started_at=row.started_at,
            ends_at=row.ends_at,
            pause_until=row.pause_until,
            ended_at=row.ended_at,
            reason=row.reason,
        )
        for row, organiser in rows.tuples()
    ]


def _standing(rank: int, row: Any) -> Standing:
    player: TournamentPlayer = row.TournamentPlayer
    return Standing(
        rank=rank,
        account_id=player.account_id,
        username=row.username,
        is_computer=row.is_computer,
        rating=player.rating,
        seed=player.seed,
        group=player.group_number,
        stage=player.stage,
        points=player.points,
        tie_breaks=tuple(player.tie_breaks),
        games=player.games,
        wins=player.wins,
        streak=player.streak,
        status=player.status,
        game_id=player.game_id,
    )


_first, _second = aliased(Account), aliased(Account)


def _pairings(*conditions: ColumnElement[bool]) -> Select[TournamentPairing, str, str]:
    return (
        select(TournamentPairing, _first.username, _second.username)
        .join(_first, _first.id == TournamentPairing.first_id)
        .outerjoin(_second, _second.id == TournamentPairing.second_id)
        .where(and_(literal(value=True), *conditions))
    )


def _read_pairings(rows: Any) -> list[PairingInfo]:
    return [
        PairingInfo(
            round=row.round,
            board=row.board,
            leg=row.leg,
            group=row.group_number,
            first=PlayerName(row.first_id, first),
            second=None if row.second_id is None else PlayerName(row.second_id, second),
            game_id=row.game_id,
            outcome=row.outcome,
            is_played=row.is_played,
        )
        for row, first, second in rows.tuples()
    ]
