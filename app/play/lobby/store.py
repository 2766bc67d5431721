"""The rows of challenges: added, accepted, closed, and deleted when nobody needs them any more."""

import secrets
from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.ids import new_id
from app.people.identity import service as identities
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.play.games import creation
from app.play.games.models import Game
from app.play.games.queries import is_under_way
from app.play.lobby import decisions, news, queries
from app.play.lobby.challenges import CHOICE, RANDOM, ChallengeInfo, ChallengeTerms, Kind
from app.play.lobby.checks import check_computer_games, rating_of
from app.play.lobby.models import Challenge
from engine.clock import REALTIME_KINDS, TimeControl, control_to_dict, is_realtime
from engine.registry import FOR_TWO

IS_REALTIME = Challenge.time_control["kind"].astext.in_(REALTIME_KINDS)

_KEPT_FOR = timedelta(days=30)  # as the notifications about them; open ones expire before that

_LOCK = select(func.pg_advisory_xact_lock(func.hashtextextended("pairing", 0)))


async def lock_waiting(session: AsyncSession) -> None:
    """Keep others from adding challenges to the lobby, and from pairing players, until the transaction ends.

    Whoever does either takes this lock before looking for an opponent: of two at once, the later one sees
    what the other one has done. Searches are added without it, and paired afterwards.
    """
    await session.execute(_LOCK)


async def insert(
    session: AsyncSession,
    maker_id: int,
    kind: Kind,
    opponent: Account | None,
    terms: ChallengeTerms,
    *,
    rematch_of: str | None = None,
) -> str:
    """Insert an open challenge and return its id."""
    challenge = Challenge(
        id=new_id(),
        game=terms.game,
        options=dict(terms.options),
        kind=kind,
        maker_id=maker_id,
        opponent_id=opponent.id if opponent else None,
        side=terms.side,
        status="open",
        rated=terms.rated,
        casual_with_guests=terms.casual_with_guests,
        time_control=control_to_dict(terms.control),
        rating_min=terms.rating_min,
        rating_max=terms.rating_max,
        rematch_of=rematch_of,
    )
    session.add(challenge)
    await session.flush()
    return challenge.id


async def accept(
    session: AsyncSession, challenge: ChallengeInfo, identity: Identity, side: str | None
) -> ChallengeInfo:
    """Start the game of a challenge, in which the identity has a side if it may choose one; return it.

    Raise ForbiddenError if the identity may not accept it, InvalidError `bad_side`, ConflictError
    `challenge_closed`.
    """
    terms = challenge.terms.against(identity)
    decisions.check_acceptance(challenge, identity, await rating_of(session, terms.game, identity))
    sides = FOR_TWO[terms.game].sides
    maker_side = decisions.side_of_maker(terms, side)
    if maker_side == RANDOM:
        maker_side = secrets.choice(sides)
    players = [challenge.maker.id if side == maker_side else identity.id for side in sides]
    first = challenge.rematch_of
    game_id = await creation.create(
        session,
        terms.game,
        terms.options,
        players,
        control=terms.control,
        rated=terms.rated,
        opening=await queries.opening_of(session, first) if first else (),
    )
    return await close(session, challenge, status="accepted", game_id=game_id)


async def accept_for_computer(
    session: AsyncSession, challenge: ChallengeInfo, maker: Identity
) -> ChallengeInfo:
    """Return a challenge to a computer as it accepted it, drawing lots if it may choose the side.

    Raise ConflictError `too_many_computer_games`.
    """
    assert challenge.opponent is not None
    await check_computer_games(session, maker)
    terms = challenge.terms
    side = secrets.choice(FOR_TWO[terms.game].sides) if terms.side == CHOICE else None
    return await accept(session, challenge, identities.identity_of(challenge.opponent), side)


async def close(session: AsyncSession, challenge: ChallengeInfo, **values: str | None) -> ChallengeInfo:
    """Set the status of an open challenge. Raise ConflictError `challenge_closed` if it is not open."""
    closed = await session.scalar(
        update(Challenge)
        .where(Challenge.id == challenge.id, Challenge.status == "open")
        .values(**values)
        .returning(Challenge.id)
    )
    if closed is None:
        raise decisions.closed_error()
    await news.withdraw_offer(session, challenge)
    return await queries.get(session, challenge.id)


async def close_all(
    session: AsyncSession, status: str, *conditions: ColumnElement[bool]
) -> list[ChallengeInfo]:
    """Set the status of all open challenges that meet some conditions, and return them."""
    closed = await session.scalars(
        update(Challenge)
        .where(Challenge.id.in_(_locked(*conditions)))
        .values(status=status)
        .returning(Challenge.id)
    )
    ids = list(closed)
    challenges = await queries.where(session, is_one_of(Challenge.id, ids), most=None) if ids else []
    for challenge in challenges:
        await news.withdraw_offer(session, challenge)
    return challenges


async def end_waiting(
    session: AsyncSession, control: TimeControl | None, players: Collection[int]
) -> list[ChallengeInfo]:
    """Cancel what players who begin a game wait with for another one, if it is real-time; return it.

    A player in a real-time game waits for no other one, in the lobby or for a rematch. Whoever begins one for
    several players calls this in the same transaction.
    """
    return await close_all(session, "cancelled", is_waiting(players)) if is_realtime(control) else []


def is_waiting(players: Collection[int]) -> ColumnElement[bool]:
    """Return the condition that a challenge waits, in the lobby or for a rematch, for a game of a player."""
    is_offered = or_(Challenge.kind == "open", Challenge.rematch_of.is_not(None))
    return and_(IS_REALTIME, is_offered, Challenge.maker_id.in_(players))


async def lock(session: AsyncSession, *conditions: ColumnElement[bool]) -> None:
    """Lock all open challenges that meet some conditions."""
    await session.execute(_locked(*conditions))


def _locked(*conditions: ColumnElement[bool]) -> Select[str]:
    """Return the query that locks open challenges, in one order: no two transactions wait for each other."""
    is_meant = Challenge.status == "open", *conditions
    return select(Challenge.id).where(*is_meant).order_by(Challenge.id).with_for_update()


async def delete_old_challenges(database: Database) -> None:
    """Delete challenges older than 30 days, but those that are open, and those of games under way."""
    is_played = exists().where(Game.id == Challenge.game_id, is_under_way())
    is_over = Challenge.status != "open", ~is_played
    await delete_in_parts(database, Challenge, Challenge.created_at < func.now() - _KEPT_FOR, *is_over)
