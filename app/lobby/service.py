"""Challenges: made, listed, accepted (which starts the game), declined, cancelled, expired."""

import secrets
from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, FieldError, ForbiddenError, InvalidError
from app.events import ChallengeChanged, GameStarted, JobAdded
from app.games import creation
from app.games.game import GameState
from app.identity import service as accounts
from app.identity.models import Account
from app.identity.service import Identity
from app.ids import new_id
from app.lobby import challenges
from app.lobby.challenges import DECLINE_REASONS, RANDOM, ChallengeInfo, Terms
from app.lobby.models import Challenge
from app.ratings import queries as ratings
from app.realtime.bus import Bus
from engine.clock import control_to_dict
from engine.registry import FOR_TWO

_MOST_OPEN = 10
_LIFETIME = timedelta(days=14)
_UNATTENDED = timedelta(minutes=10)  # a real-time challenge of a program that listens to nothing
_IS_REALTIME = Challenge.time_control["kind"].astext == "realtime"
_RATINGS = range(100, 4001)


async def make(
    session: AsyncSession, maker: Identity, terms: Terms, kind: str, opponent: str | None = None
) -> str:
    """Make a challenge and return its id.

    Raises InvalidError for terms that cannot be, ForbiddenError for a guest's rated one, FieldError for an
    opponent who cannot be challenged, ConflictError `too_many_challenges`.
    """
    rules = creation.rules_of(terms.game, 2)
    if terms.side not in (RANDOM, *rules.sides):
        raise InvalidError("bad_side", f"The side is one of {', '.join((RANDOM, *rules.sides))}.")
    options = creation.complete_options(rules, terms.options)
    if terms.rated and maker.is_guest:
        raise ForbiddenError("rated_needs_account", "Register or log in to play for a rating.")
    await _check_range(session, maker, terms)
    opponent_id = await _opponent(session, maker, terms, opponent or "") if kind == "direct" else None
    return await _add(
        session, maker, kind=kind, opponent_id=opponent_id, terms=terms, options=options, rematch_of=None
    )


async def offer_rematch(session: AsyncSession, game: GameState, account: Identity) -> ChallengeInfo:
    """Offer the opponent of a finished game another one with the sides exchanged, and give the challenge.

    Gives the opponent's own offer, if there is one: it only has to be accepted. Raises ForbiddenError
    `not_a_player`, ConflictError `game_under_way`, FieldError for an opponent who cannot be challenged.
    """
    side = game.side_of(account.id)
    other = game.other_side(side) if side else None
    if side is None or other is None:
        raise ForbiddenError("not_a_player", "Only the players of a game for two can play it again.")
    if not game.result:
        raise ConflictError("game_under_way", "This game is not over yet; play it to its end first.")
    waiting = await challenges.find_all(session, Challenge.rematch_of == game.id, Challenge.status == "open")
    if waiting:
        return waiting[0]
    opponent = await accounts.find(session, game.player_at(other).username)
    _check_not_closed(opponent)
    terms = Terms(game.game, game.options, str(other), game.control, game.rated)
    challenge_id = await _add(
        session,
        account,
        kind="direct",
        opponent_id=game.player_at(other).id,
        terms=terms,
        options=game.options,
        rematch_of=game.id,
    )
    return await challenges.get(session, challenge_id)


async def accept(session: AsyncSession, challenge: ChallengeInfo, account: Identity) -> str:
    """Accept a challenge and return the id of the game that starts.

    Raises ForbiddenError when it is one's own, meant for somebody else or out of one's reach, ConflictError
    `challenge_closed` when it is no longer open: of two who accept at once, one gets it.
    """
    terms = challenge.terms
    rating = (await ratings.current(session, terms.game, [account.id]))[account.id]
    if (obstacle := challenge.obstacle(account, rating)) is not None:
        raise obstacle
    await _close(session, challenge, "accepted")
    rules = FOR_TWO[terms.game]
    side = secrets.choice(rules.sides) if terms.side == RANDOM else terms.side
    players = [challenge.maker.id if seat == side else account.id for seat in rules.sides]
    game_id = await creation.create(
        session, terms.game, terms.options, players, control=terms.control, rated=terms.rated
    )
    await session.execute(update(Challenge).where(Challenge.id == challenge.id).values(game_id=game_id))
    return game_id


async def accept_for_computer(session: AsyncSession, challenge: ChallengeInfo) -> ChallengeInfo:
    """Have a computer accept the challenge that is meant for it, as it always does; give it as it is then."""
    if challenge.opponent is None or challenge.opponent.computer_level is None:
        return challenge
    await accept(session, challenge, accounts.identity_of_computer(challenge.opponent))
    return await challenges.get(session, challenge.id)


async def decline(
    session: AsyncSession, challenge: ChallengeInfo, account: Identity, reason: str | None = None
) -> None:
    """Decline a challenge that is meant for oneself, for one of DECLINE_REASONS or none.

    Raises ForbiddenError, ConflictError, InvalidError `bad_reason`.
    """
    if challenge.opponent is None:
        raise ForbiddenError("not_yours", "Only a challenge that is meant for you can be declined.")
    if challenge.opponent.id != account.id:
        raise ForbiddenError("not_yours", "This challenge is meant for somebody else.")
    if reason is not None and reason not in DECLINE_REASONS:
        raise InvalidError("bad_reason", f"The reason is one of {', '.join(DECLINE_REASONS)}.")
    await _close(session, challenge, "declined", decline_reason=reason)


async def cancel(session: AsyncSession, challenge: ChallengeInfo, account: Identity) -> None:
    """Take one's own challenge back. Raises ForbiddenError, ConflictError."""
    if challenge.maker.id != account.id:
        raise ForbiddenError("not_yours", "Only the one who made a challenge can cancel it.")
    await _close(session, challenge, "cancelled")


async def expire_of(session: AsyncSession, maker_id: int) -> list[ChallengeInfo]:
    """Close the real-time challenges of somebody who has gone, and return them."""
    return await _close_all(session, "expired", _IS_REALTIME, Challenge.maker_id == maker_id)


async def expire_old(session: AsyncSession, present: frozenset[int]) -> list[ChallengeInfo]:
    """Close what has waited too long, and return it.

    That is two weeks, or ten minutes for a real-time challenge of a maker who is not `present`.
    """
    is_unattended = and_(
        _IS_REALTIME, Challenge.created_at < func.now() - _UNATTENDED, Challenge.maker_id.not_in(present)
    )
    return await _close_all(
        session, "expired", or_(Challenge.created_at < func.now() - _LIFETIME, is_unattended)
    )


async def withdraw_all(session: AsyncSession, account_id: int) -> list[ChallengeInfo]:
    """Close all open challenges of an account and to it, and return them."""
    concerned = or_(Challenge.maker_id == account_id, Challenge.opponent_id == account_id)
    return await _close_all(session, "cancelled", concerned)


async def makers(session: AsyncSession) -> list[int]:
    """List the accounts that have an open challenge."""
    return list(
        await session.scalars(select(Challenge.maker_id).where(Challenge.status == "open").distinct())
    )


def publish(bus: Bus, challenge: ChallengeInfo, game_id: str | None) -> None:
    """Publish a change of a challenge, and the game that began with it, once they are committed."""
    accounts = tuple(account.id for account in (challenge.maker, challenge.opponent) if account is not None)
    bus.publish(ChallengeChanged(challenge.id, challenge.status, accounts, game_id))
    if game_id is not None:
        bus.publish(GameStarted(game_id, accounts))
        bus.publish(JobAdded())


async def _add(
    session: AsyncSession,
    maker: Identity,
    *,
    kind: str,
    opponent_id: int | None,
    terms: Terms,
    options: Mapping[str, int],
    rematch_of: str | None,
) -> str:
    # Who makes two at once makes them one after the other, so that the limit holds.
    await session.execute(select(Account.id).where(Account.id == maker.id).with_for_update())
    mine = select(func.count()).where(Challenge.maker_id == maker.id, Challenge.status == "open")
    if (await session.scalar(mine) or 0) >= _MOST_OPEN:
        raise ConflictError(
            "too_many_challenges",
            f"You have {_MOST_OPEN} challenges waiting. Cancel one before making another.",
        )
    challenge = Challenge(
        id=new_id(),
        game=terms.game,
        options=dict(options),
        kind=kind,
        maker_id=maker.id,
        opponent_id=opponent_id,
        side=terms.side,
        status="open",
        rated=terms.rated,
        time_control=control_to_dict(terms.control),
        rating_min=terms.rating_min,
        rating_max=terms.rating_max,
        rematch_of=rematch_of,
    )
    session.add(challenge)
    await session.flush()
    return challenge.id


async def _check_range(session: AsyncSession, maker: Identity, terms: Terms) -> None:
    low, high = terms.rating_min, terms.rating_max
    if low is None and high is None:
        return
    if any(bound is not None and bound not in _RATINGS for bound in (low, high)):
        raise FieldError(
            "rating",
            "bad_rating_range",
            f"Ratings are from {_RATINGS.start} to {_RATINGS.stop - 1}.",
        )
    if low is not None and high is not None and low > high:
        raise FieldError("rating", "bad_rating_range", "The lowest rating is above the highest one.")
    own = round((await ratings.current(session, terms.game, [maker.id]))[maker.id].rating)
    if (low is not None and own < low) or (high is not None and own > high):
        raise FieldError(
            "rating",
            "bad_rating_range",
            f"Your own rating, {own}, is outside of that range. Choose one that takes you in.",
        )


async def _close(session: AsyncSession, challenge: ChallengeInfo, status: str, **values: str | None) -> None:
    closed = await session.scalar(
        update(Challenge)
        .where(Challenge.id == challenge.id, Challenge.status == "open")
        .values(status=status, **values)
        .returning(Challenge.id)
    )
    if closed is None:
        raise ConflictError(
            "challenge_closed", "This challenge is no longer open. The lobby has others, or make your own."
        )


async def _close_all(
    session: AsyncSession, status: str, *conditions: ColumnElement[bool]
) -> list[ChallengeInfo]:
    closed = await session.scalars(
        update(Challenge)
        .where(Challenge.status == "open", *conditions)
        .values(status=status)
        .returning(Challenge.id)
    )
    ids = list(closed)
    return await challenges.find_all(session, Challenge.id.in_(ids)) if ids else []


async def _opponent(session: AsyncSession, maker: Identity, terms: Terms, username: str) -> int:
    account = await accounts.find(session, username.strip())
    if account is None:
        raise FieldError(
            "opponent", "unknown_opponent", "Nobody here has that name. Check how it is spelled."
        )
    if account.id == maker.id:
        raise FieldError("opponent", "self_challenge", "You cannot challenge yourself. Name somebody else.")
    _check_not_closed(account)
    if terms.rated and account.computer_level is not None:
        raise FieldError(
            "opponent", "computers_play_casual", "A computer plays for no rating. Offer a casual game."
        )
    if terms.rated and account.is_guest:
        raise FieldError("opponent", "guests_play_casual", "A guest has no rating. Offer a casual game.")
    return account.id


def _check_not_closed(account: Account | None) -> None:
    if account is None or account.closed_at is not None:
        raise FieldError("opponent", "closed_account", "That account was closed. Choose another opponent.")
