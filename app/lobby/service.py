"""Challenges: made, listed, accepted (which starts the game), declined, cancelled."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.accounts import service as accounts
from app.accounts.models import Account
from app.accounts.service import Identity, account_topic
from app.errors import ConflictError, FieldError, ForbiddenError, InvalidError, NotFoundError
from app.games import service as games
from app.lobby.models import Challenge
from app.realtime.bus import Bus
from engine.registry import GAMES

LOBBY = "lobby"
RANDOM = "random"
_MOST_OPEN = 10
_MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class ChallengeInfo:
    """A challenge with the names of those it concerns. `side` is the one that the maker asked for."""

    id: str
    game: str
    options: Mapping[str, int]
    kind: str
    maker: Account
    opponent: Account | None
    side: str
    status: str
    game_id: str | None
    created_at: datetime

    def may_accept(self, account_id: int | None) -> bool:
        """Tell whether somebody (None: a visitor, who would become a guest) may accept it."""
        if self.status != "open" or account_id == self.maker.id:
            return False
        return self.opponent is None or self.opponent.id == account_id


def topic(challenge_id: str) -> str:
    """Give the topic on which what becomes of a challenge is announced."""
    return f"challenge:{challenge_id}"


async def make(
    session: AsyncSession,
    maker: Identity,
    game: str,
    options: Mapping[str, int],
    kind: str,
    opponent: str | None,
    side: str,
) -> str:
    """Make a challenge and return its id.

    Raises InvalidError for a game, options or side that cannot be, FieldError for an opponent who
    cannot be challenged, ConflictError `too_many_challenges`.
    """
    rules = games.rules_of(game)
    if len(rules.sides) != 2:
        raise InvalidError("solitaire", f"{rules.title} is played alone; start it without a challenge.")
    options = games.complete_options(game, options)
    if side not in (RANDOM, *rules.sides):
        raise InvalidError("bad_side", f"The side is one of {', '.join((RANDOM, *rules.sides))}.")
    opponent_id = await _opponent(session, maker, opponent or "") if kind == "direct" else None
    mine = select(func.count()).where(Challenge.maker_id == maker.id, Challenge.status == "open")
    if (await session.scalar(mine) or 0) >= _MOST_OPEN:
        raise ConflictError(
            "too_many_challenges",
            f"You have {_MOST_OPEN} challenges waiting. Cancel one before making another.",
        )
    challenge = Challenge(
        id=games.new_id(),
        game=game,
        options=options,
        kind=kind,
        maker_id=maker.id,
        opponent_id=opponent_id,
        side=side,
        status="open",
    )
    session.add(challenge)
    await session.flush()
    return challenge.id


async def get(session: AsyncSession, challenge_id: str) -> ChallengeInfo:
    """Give a challenge. Raises NotFoundError."""
    found = await _list(session, Challenge.id == challenge_id) if challenge_id.isalnum() else []
    if not found:
        raise NotFoundError("challenge")
    return found[0]


async def waiting(session: AsyncSession, account_id: int | None) -> list[ChallengeInfo]:
    """List the open challenges of the lobby and those to and from an account, the newest first."""
    concerns = [Challenge.kind == "open"]
    if account_id is not None:
        concerns += [Challenge.maker_id == account_id, Challenge.opponent_id == account_id]
    return await _list(session, Challenge.status == "open", or_(*concerns))


async def accept(session: AsyncSession, challenge: ChallengeInfo, account: Identity) -> str:
    """Accept a challenge and return the id of the game that starts.

    Raises ForbiddenError when it is one's own or meant for somebody else, ConflictError
    `challenge_closed` when it is no longer open: of two who accept at once, one gets it.
    """
    if challenge.maker.id == account.id:
        raise ForbiddenError("own_challenge", "This is your own challenge; somebody else has to accept it.")
    _check_meant_for(challenge, account)
    await _close(session, challenge, "accepted")
    rules = GAMES[challenge.game]
    side = secrets.choice(rules.sides) if challenge.side == RANDOM else challenge.side
    players = [challenge.maker.id if seat == side else account.id for seat in rules.sides]
    game_id = await games.create(session, challenge.game, challenge.options, players)
    await session.execute(update(Challenge).where(Challenge.id == challenge.id).values(game_id=game_id))
    return game_id


async def decline(session: AsyncSession, challenge: ChallengeInfo, account: Identity) -> None:
    """Decline a challenge that is meant for oneself. Raises ForbiddenError, ConflictError."""
    if challenge.opponent is None:
        raise ForbiddenError("not_yours", "Only a challenge that is meant for you can be declined.")
    _check_meant_for(challenge, account)
    await _close(session, challenge, "declined")


async def cancel(session: AsyncSession, challenge: ChallengeInfo, account: Identity) -> None:
    """Take one's own challenge back. Raises ForbiddenError, ConflictError."""
    if challenge.maker.id != account.id:
        raise ForbiddenError("not_yours", "Only the one who made a challenge can cancel it.")
    await _close(session, challenge, "cancelled")


def announce(bus: Bus, challenge: ChallengeInfo, game_id: str = "") -> None:
    """Tell everybody concerned, once the transaction is committed, that a challenge came or changed."""
    bus.announce(LOBBY, challenge.id)
    bus.announce(topic(challenge.id), game_id)
    for account in (challenge.maker, challenge.opponent):
        if account is not None:
            bus.announce(account_topic(account.id), game_id)


def _check_meant_for(challenge: ChallengeInfo, account: Identity) -> None:
    if challenge.opponent is not None and challenge.opponent.id != account.id:
        raise ForbiddenError("not_yours", "This challenge is meant for somebody else.")


async def _close(session: AsyncSession, challenge: ChallengeInfo, status: str) -> None:
    closed = await session.scalar(
        update(Challenge)
        .where(Challenge.id == challenge.id, Challenge.status == "open")
        .values(status=status)
        .returning(Challenge.id)
    )
    if closed is None:
        raise ConflictError(
            "challenge_closed", "This challenge is no longer open. The lobby has others, or make your own."
        )


async def _opponent(session: AsyncSession, maker: Identity, username: str) -> int:
    account = await accounts.find(session, username.strip())
    if account is None:
        raise FieldError(
            "opponent", "unknown_opponent", "Nobody here has that name. Check how it is spelled."
        )
    if account.id == maker.id:
        raise FieldError("opponent", "self_challenge", "You cannot challenge yourself. Name somebody else.")
    return account.id


async def _list(session: AsyncSession, *conditions: object) -> list[ChallengeInfo]:
    maker, opponent = aliased(Account), aliased(Account)
    rows = await session.execute(
        select(Challenge, maker, opponent)
        .join(maker, maker.id == Challenge.maker_id)
        .outerjoin(opponent, opponent.id == Challenge.opponent_id)
        .where(*conditions)  # type: ignore[arg-type]
        .order_by(Challenge.created_at.desc())
        .limit(_MOST_LISTED)
    )
    return [
        ChallengeInfo(
            id=row.id,
            game=row.game,
            options=row.options,
            kind=row.kind,
            maker=made_by,
            opponent=meant_for,
            side=row.side,
            status=row.status,
            game_id=row.game_id,
            created_at=row.created_at,
        )
        for row, made_by, meant_for in rows.tuples()
    ]
