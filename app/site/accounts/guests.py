"""Guests who log in are asked whether what they have comes along into the account, or stays apart.

What comes along belongs to the account from then on. The rest stays with the guest, whose session the browser
keeps aside: after logging out, one goes on as the guest.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Select,
    Text,
    any_,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.base import personal_tables, table
from app.core.database.personal import Handover
from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.nugget.models import Run
from app.nugget.runs import MOST_RUNS
from app.people.identity.events import PlayersChanged, ProofRevoked
from app.people.identity.locking import lock_open_accounts
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.inbox.models import Notification
from app.people.social.queries import blocked_with
from app.play.games.events import GameChanged
from app.play.games.models import Game
from app.play.games.queries import count_against_computers, count_under_way, for_two, played_by
from app.play.lobby.challenges import ChallengeChanged
from app.play.lobby.checks import MOST_AGAINST_COMPUTERS, MOST_GAMES, MOST_IN_LOBBY, MOST_OPEN
from app.play.lobby.models import Challenge
from app.play.lobby.queries import count_open
from app.play.solitaire.models import RacePlayer
from app.play.solitaire.service import MOST_GAMES as MOST_ALONE
from app.play.solitaire.service import is_solitaire
from app.play.solo_days.models import SoloDayTry
from app.site.accounts import keys


class Left(StrEnum):
    """Why something stays with the guest."""

    AGAINST_YOURSELF = "against_yourself"
    RATED = "rated"
    BLOCKED = "blocked"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Plan:
    """The ids of what comes along, and how many things stay with the guest, by the reason.

    `progress` says whether what was learnt or tried comes along, too.
    """

    games: Sequence[str]
    runs: Sequence[str]
    challenges: Sequence[str]
    progress: bool
    left: Mapping[Left, int]


async def has_any(session: AsyncSession, guest_id: int) -> bool:
    """Return whether a guest has anything to choose about."""
    has = (
        exists().where(played_by(guest_id)),
        exists().where(Run.account_id == guest_id),
        exists().where(*_open_challenge(guest_id)),
        *(exists().where(table(name).c.account_id == guest_id) for name in _named(Handover.UNLESS_KNOWN)),
    )
    return bool(await session.scalar(select(or_(*has))))


async def plan(session: AsyncSession, guest_id: int, account_id: int) -> Plan:
    """Return what of a guest an account may take over: if not all, then the latest and what is under way."""
    blocked = await blocked_with(session, account_id)
    room = await _room(session, account_id)
    left: Counter[Left] = Counter()

    def may_come(reason: Left | None, *kinds: str) -> bool:
        if reason is None and any(room[kind] <= 0 for kind in kinds):
            reason = Left.TOO_MANY
        if reason is not None:
            left[reason] += 1
            return False
        room.subtract(kinds)
        return True

    games = [
        row.id
        for row in await session.execute(_games(guest_id, account_id))
        if may_come(_why_not_game(row, account_id, blocked), *_kinds_of_game(row))
    ]
    latest = select(Run.id).where(Run.account_id == guest_id).order_by(Run.updated_at.desc())
    runs = [run_id for run_id in await session.scalars(latest) if may_come(None, "runs")]
    challenges = []
    for row in await session.scalars(select(Challenge).where(*_open_challenge(guest_id))):
        reason = _why_not_challenge(row, guest_id, account_id, blocked)
        if may_come(reason, *_kinds_of_challenge(row, guest_id)):
            challenges.append(row.id)
    names = _named(Handover.UNLESS_KNOWN)
    has_progress = or_(*(exists().where(*_unknown(name, guest_id, account_id)) for name in names))
    return Plan(games, runs, challenges, bool(await session.scalar(select(has_progress))), left)


async def hand_over(
    session: AsyncSession, what: Plan, guest_id: int, account_id: int
) -> list[tuple[str, int]]:
    """Make what is planned an account's. Return the games that are under way with their new versions."""
    seats = {
        column.key: case((column == guest_id, account_id), else_=column)
        for column in (Game.first_player, Game.second_player)
    }
    is_under_way = Game.ended_at.is_(None)
    moved = await session.execute(
        update(Game)
        .where(_is_one_of(Game.id, what.games))
        .values(**seats, version=Game.version + case((is_under_way, 1), else_=0))
        .returning(Game.id, Game.version, is_under_way)
        .execution_options(synchronize_session=False)
    )
    for name in _named(Handover.WITH_GAMES):
        rows = table(name)
        game = rows.c.subject if name == Notification.__tablename__ else rows.c.game_id
        of_games = (rows.c.account_id == guest_id, _is_one_of(game, what.games))
        await session.execute(update(rows).where(*of_games).values(account_id=account_id))
    await session.execute(
        update(Notification)
        .where(Notification.actor_id == guest_id, _is_one_of(Notification.subject, what.games))
        .values(actor_id=account_id)
    )
    await session.execute(update(Run).where(_is_one_of(Run.id, what.runs)).values(account_id=account_id))
    sides = {
        column.key: case((column == guest_id, account_id), else_=column)
        for column in (Challenge.maker_id, Challenge.opponent_id)
    }
    is_theirs = or_(_is_one_of(Challenge.id, what.challenges), _is_one_of(Challenge.game_id, what.games))
    await session.execute(update(Challenge).where(is_theirs).values(**sides))
    for name in _named(Handover.UNLESS_KNOWN):
        unknown = update(table(name)).where(*_unknown(name, guest_id, account_id))
        await session.execute(unknown.values(account_id=account_id))
    return [(game_id, version) for game_id, version, runs_on in moved if runs_on]


def _unknown(name: str, guest_id: int, account_id: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the rows of a table that a guest has and an account has not."""
    rows = table(name)
    known = rows.alias("known")
    is_same = [known.c[column.name] == column for column in rows.primary_key if column.name != "account_id"]
    return rows.c.account_id == guest_id, ~exists().where(known.c.account_id == account_id, *is_same)


def _named(handover: Handover) -> list[str]:
    return [name for name, personal in personal_tables().items() if personal.handover is handover]


def _is_one_of(column: Any, ids: Sequence[str]) -> ColumnElement[bool]:
    is_one_of: ColumnElement[bool] = column == any_(literal(list(ids), ARRAY(Text)))
    return is_one_of


def _games(guest_id: int, account_id: int) -> Select[Any]:
    """Return the query for the games of a guest, with what decides whether an account may have them."""
    other = case((Game.first_player == guest_id, Game.second_player), else_=Game.first_player)
    racer, rival = aliased(RacePlayer), aliased(RacePlayer)
    races_too = exists().where(
        racer.game_id == Game.id, rival.race_id == racer.race_id, rival.account_id == account_id
    )
    mine, theirs = aliased(SoloDayTry), aliased(SoloDayTry)
    tries_too = exists().where(
        mine.game_id == Game.id,
        theirs.game == mine.game,
        theirs.day == mine.day,
        theirs.account_id == account_id,
    )
    is_computer = exists().where(Account.id == other, Account.computer_level.is_not(None))
    return (
        select(
            Game.id,
            other.label("other"),
            Game.rated,
            Game.tournament_id,
            Game.ended_at.is_(None).label("is_under_way"),
            is_computer.label("is_against_computer"),
            or_(races_too, tries_too).label("competes"),
        )
        .where(played_by(guest_id))
        .order_by(Game.ended_at.desc().nulls_first(), Game.updated_at.desc())
    )


def _why_not_game(row: Any, account_id: int, blocked: Collection[int]) -> Left | None:
    if row.other == account_id or row.competes:
        return Left.AGAINST_YOURSELF
    if row.rated or row.tournament_id is not None:
        return Left.RATED
    return Left.BLOCKED if row.is_under_way and row.other in blocked else None


def _kinds_of_game(row: Any) -> list[str]:
    """Return what a game counts as, for the limits of an account."""
    if not row.is_under_way:
        return []
    if row.other is None:
        return ["alone"]
    return ["games", "against computers"] if row.is_against_computer else ["games"]


def _open_challenge(guest_id: int) -> tuple[ColumnElement[bool], ...]:
    is_theirs = or_(Challenge.maker_id == guest_id, Challenge.opponent_id == guest_id)
    return Challenge.status == "open", is_theirs


def _why_not_challenge(
    row: Challenge, guest_id: int, account_id: int, blocked: Collection[int]
) -> Left | None:
    other = row.opponent_id if row.maker_id == guest_id else row.maker_id
    if other == account_id:
        return Left.AGAINST_YOURSELF
    if row.rated:
        return Left.RATED
    return Left.BLOCKED if other in blocked else None


def _kinds_of_challenge(row: Challenge, guest_id: int) -> list[str]:
    if row.maker_id != guest_id:
        return []
    return ["challenges", "lobby"] if row.kind == "open" else ["challenges"]


async def _room(session: AsyncSession, account_id: int) -> Counter[str]:
    """Return how many more of each kind an account may have."""
    runs = select(func.count()).where(Run.account_id == account_id)
    limits: Mapping[str, tuple[int, Select[int]]] = {
        "games": (MOST_GAMES.number, count_under_way(account_id, for_two())),
        "against computers": (MOST_AGAINST_COMPUTERS.number, count_against_computers(account_id)),
        "alone": (MOST_ALONE.number, count_under_way(account_id, is_solitaire())),
        "runs": (MOST_RUNS, runs),
        "challenges": (MOST_OPEN.number, count_open(account_id)),
        "lobby": (MOST_IN_LOBBY.number, count_open(account_id, Challenge.kind == "open")),
    }
    return Counter(
        {kind: most - (await session.scalar(count) or 0) for kind, (most, count) in limits.items()}
    )


class Guests:
    """What guests have, and bringing it along."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def has_any(self, viewer: Identity | None) -> bool:
        """Return whether a viewer is a guest who has something to bring along."""
        if viewer is None or not viewer.is_guest:
            return False
        async with self._database.reading_now() as session:
            return await has_any(session, viewer.id)

    async def plan(self, guest: Identity, identity: Identity) -> Plan:
        """Return what of a guest may come along into an account, and what stays."""
        async with self._database.reading_now() as session:
            return await plan(session, guest.id, identity.id)

    async def bring(self, guest: Identity, identity: Identity) -> Plan:
        """Bring along what may come, and return it. A guest who has nothing left ends."""
        ended: list[ProofRevoked] = []
        async with self._database.transaction() as session:
            if await lock_open_accounts(session, (guest.id, identity.id)) != {guest.id, identity.id}:
                return Plan((), (), (), False, {})
            brought = await plan(session, guest.id, identity.id)
            games = await hand_over(session, brought, guest.id, identity.id)
            if not brought.left:
                ended = await keys.revoke_all(session, guest.id)
        self._bus.publish(*ended)
        both = (guest.id, identity.id)
        self._bus.publish(PlayersChanged(both))
        self._bus.publish(InboxChanged(both))
        for game_id, version in games:
            self._bus.publish(GameChanged(game_id, version, both, None, is_over=False, step=None))
        for challenge_id in brought.challenges:
            self._bus.publish(ChallengeChanged(challenge_id, "open", both))
        return brought
