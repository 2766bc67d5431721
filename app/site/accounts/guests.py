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
    ColumnElement,
    Select,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database, reads_now
from app.core.database.statements import is_one_of
from app.core.realtime.bus import Bus
from app.learn.statistics import digest as statistics
from app.nugget.models import Run
from app.nugget.runs import MOST_RUNS
from app.people.identity import names
from app.people.identity.events import PlayersChanged, ProofRevoked
from app.people.identity.locking import lock_open_accounts
from app.people.identity.models import Account, Vacation
from app.people.identity.service import Identity, new_guest_name
from app.people.inbox.events import InboxChanged
from app.people.social.queries import blocked_with
from app.play.games.events import GameChanged
from app.play.games.models import Game
from app.play.games.queries import count_against_computers, count_under_way, for_two, played_by
from app.play.lobby.challenges import ChallengeChanged
from app.play.lobby.checks import MOST_AGAINST_COMPUTERS, MOST_GAMES, MOST_IN_LOBBY, MOST_OPEN
from app.play.lobby.models import Challenge
from app.play.lobby.queries import count_open
from app.play.solitaire.models import Race, RacePlayer
from app.play.solitaire.races import RaceChanged
from app.play.solitaire.service import MOST_GAMES as MOST_ALONE
from app.play.solitaire.service import is_solitaire
from app.play.solo_days.models import SoloDayTry
from app.site.accounts import belongings, keys


class Left(StrEnum):
    """Why something stays with the guest."""

    AGAINST_YOURSELF = "against_yourself"
    KNOWN = "known"
    RATED = "rated"
    BLOCKED = "blocked"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Plan:
    """The ids of what comes along, and how many things stay with the guest, by the reason.

    The `races` have not started. `has_more` says whether other things come along, too.
    """

    games: Sequence[str]
    runs: Sequence[str]
    challenges: Sequence[str]
    races: Sequence[str]
    has_more: bool
    left: Mapping[Left, int]


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
    for row in await session.scalars(select(Challenge).where(belongings.is_open_challenge(guest_id))):
        reason = _why_not_challenge(row, guest_id, account_id, blocked)
        if may_come(reason, *_kinds_of_challenge(row, guest_id)):
            challenges.append(row.id)
    races = [
        race_id
        for race_id, competes in await session.execute(_races(guest_id, account_id))
        if may_come(Left.AGAINST_YOURSELF if competes else None)
    ]
    left[Left.KNOWN] = await belongings.count_known(session, guest_id, account_id)
    has_more = await belongings.come_along(session, guest_id, account_id)
    return Plan(games, runs, challenges, races, has_more, +left)


async def hand_over(
    session: AsyncSession, what: Plan, guest_id: int, account_id: int
) -> list[tuple[str, int]]:
    """Make what is planned an account's. Return the games that are under way with their new versions."""
    # First of all: it may wait for a long time, and moves wait for the games that are locked.
    await statistics.pass_on(session, what.games, guest_id, account_id)
    is_meant = is_one_of(Game.id, what.games)
    await session.execute(select(Game.id).where(is_meant).order_by(Game.id).with_for_update())
    seats = {
        column.key: case((column == guest_id, account_id), else_=column)
        for column in (Game.first_player, Game.second_player)
    }
    is_under_way = Game.ended_at.is_(None)
    moved = await session.execute(
        update(Game)
        .where(is_meant)
        .values(**seats, version=Game.version + case((is_under_way, 1), else_=0))
        .returning(Game.id, Game.version, is_under_way)
        .execution_options(synchronize_session=False)
    )
    await session.execute(update(Run).where(is_one_of(Run.id, what.runs)).values(account_id=account_id))
    await _hand_over_challenges(session, what.challenges, guest_id, account_id)
    await belongings.move(session, guest_id, account_id)
    # `Vacations.catch_up` stops the clocks of these games, too, if the account is on vacation.
    is_away = Vacation.account_id == account_id, Vacation.until > func.now()
    await session.execute(update(Vacation).where(*is_away).values(is_settled=False))
    has_place = exists().where(RacePlayer.race_id == Race.id, RacePlayer.account_id == guest_id)
    makes = update(Race).where(Race.maker_id == guest_id, ~has_place).values(maker_id=account_id)
    await session.execute(makes.execution_options(synchronize_session=False))
    return [(game_id, version) for game_id, version, runs_on in moved if runs_on]


async def _hand_over_challenges(
    session: AsyncSession, chosen: Sequence[str], guest_id: int, account_id: int
) -> None:
    """Hand over the chosen challenges of a guest, and the closed ones except those of games that stay."""
    sides = (Challenge.maker_id, Challenge.opponent_id)
    changed = {side.key: case((side == guest_id, account_id), else_=side) for side in sides}
    stays = exists().where(Game.id == Challenge.game_id, played_by(guest_id))
    is_meant = or_(is_one_of(Challenge.id, chosen), and_(Challenge.status != "open", ~stays))
    is_theirs = or_(*(side == guest_id for side in sides))
    await session.execute(update(Challenge).where(is_theirs, is_meant).values(**changed))


async def _lock_races(session: AsyncSession, guest_id: int) -> None:
    """Lock the races for whose start a guest waits: they start before this, or with the account."""
    waiting = select(RacePlayer.race_id).where(*_waiting_place(guest_id))
    await session.execute(select(Race.id).where(Race.id.in_(waiting)).order_by(Race.id).with_for_update())


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


def _waiting_place(guest_id: int) -> tuple[ColumnElement[bool], ...]:
    return RacePlayer.account_id == guest_id, RacePlayer.game_id.is_(None)


def _races(guest_id: int, account_id: int) -> Select[str, bool]:
    """Return the query for the races for whose start a guest waits, and whether an account does so, too."""
    rival = aliased(RacePlayer)
    competes = exists().where(rival.race_id == RacePlayer.race_id, rival.account_id == account_id)
    return select(RacePlayer.race_id, competes).where(*_waiting_place(guest_id))


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

    plan = reads_now(plan)

    async def has_any(self, viewer: Identity | None) -> bool:
        """Return whether a viewer is a guest who has something to bring along."""
        if viewer is None or not viewer.is_guest:
            return False
        async with self._database.reading_now() as session:
            return await belongings.has_any(session, viewer.id)

    async def bring(self, guest: Identity, identity: Identity) -> Plan:
        """Bring along what may come, and return it. A guest who has nothing left ends."""
        ended: list[ProofRevoked] = []
        async with self._database.transaction() as session:
            present = await lock_open_accounts(session, (guest.id, identity.id))
            account = await session.get_one(Account, guest.id)
            if present != {guest.id, identity.id} or not account.is_guest:
                return Plan((), (), (), (), False, {})
            await _lock_races(session, guest.id)
            brought = await plan(session, guest.id, identity.id)
            games = await hand_over(session, brought, guest.id, identity.id)
            if not brought.left:
                ended = await keys.revoke_all(session, guest.id)
                await names.retire(session, account.username, identity.id)
                account.username = new_guest_name()
        self._bus.publish(*ended)
        both = (guest.id, identity.id)
        self._bus.publish(PlayersChanged(both))
        self._bus.publish(InboxChanged(both))
        for game_id, version in games:
            self._bus.publish(GameChanged(game_id, version, both, None, is_over=False, step=None))
        for challenge_id in brought.challenges:
            self._bus.publish(ChallengeChanged(challenge_id, "open", both))
        for race_id in brought.races:
            self._bus.publish(RaceChanged(race_id))
        return brought
