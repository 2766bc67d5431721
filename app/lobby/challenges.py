"""Challenges as values, and which of them there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.errors import AppError, ForbiddenError, NotFoundError
from app.games.creation import complete_options, rules_of
from app.identity.models import Account
from app.identity.service import Identity
from app.lobby.models import Challenge
from app.ratings import queries as ratings
from app.ratings.models import PlayerRating
from engine.clock import Realtime, TimeControl, control_from_dict, control_to_dict
from engine.glicko2 import Rating

RANDOM = "random"
QUICK_CONTROLS = (Realtime(300, 5), Realtime(600, 10), Realtime(1800, 20))
"""What one click in the lobby finds an opponent for."""

DECLINE_REASONS = {
    "later": "Not just now, but gladly another time.",
    "speed": "Gladly, but with another time control.",
    "board": "Gladly, but on another board.",
    "rated": "Gladly, but as a rated game.",
    "casual": "Gladly, but as a casual game.",
    "no": "No, thank you.",
}

_MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Terms:
    """What a challenge is about. `side` is the one that its maker asks for, `random` for either."""

    game: str
    options: Mapping[str, int]
    side: str = RANDOM
    control: TimeControl | None = None
    rated: bool = False
    rating_min: int | None = None
    rating_max: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeInfo:
    """A challenge with the names of those it concerns, and its maker's rating."""

    id: str
    terms: Terms
    kind: str
    maker: Account
    maker_rating: Rating
    opponent: Account | None
    status: str
    decline_reason: str | None
    rematch_of: str | None
    game_id: str | None
    created_at: datetime

    @property
    def is_realtime(self) -> bool:
        """Tell whether it is for a real-time game, and so for somebody who is here now."""
        return isinstance(self.terms.control, Realtime)

    def obstacle(self, account: Identity | None, rating: Rating) -> AppError | None:
        """Give why somebody (None: a visitor, who would become a guest) cannot accept it, or None."""
        if account is not None and account.id == self.maker.id:
            return ForbiddenError(
                "own_challenge", "This is your own challenge; somebody else has to accept it."
            )
        if self.opponent is not None and (account is None or account.id != self.opponent.id):
            return ForbiddenError("not_yours", "This challenge is meant for somebody else.")
        if self.terms.rated and (account is None or account.is_guest):
            return ForbiddenError(
                "rated_needs_account", "This is a rated game. Register or log in to play for a rating."
            )
        low, high = self.terms.rating_min, self.terms.rating_max
        points = round(rating.rating)
        if (low is not None and points < low) or (high is not None and points > high):
            wanted = (
                f"from {low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"
            )
            return ForbiddenError(
                "rating_out_of_range", f"This challenge asks for a rating {wanted}; yours is {points}."
            )
        return None


async def pair(session: AsyncSession, account: Identity, terms: Terms) -> ChallengeInfo | None:
    """Find the longest waiting open challenge with just these terms that the account can accept."""
    options = complete_options(rules_of(terms.game, 2), terms.options)
    rating = (await ratings.current(session, terms.game, [account.id]))[account.id]
    found = await find_all(
        session,
        Challenge.status == "open",
        Challenge.kind == "open",
        Challenge.game == terms.game,
        Challenge.options == options,
        Challenge.time_control == control_to_dict(terms.control),
        Challenge.rated == terms.rated,
        Challenge.side == RANDOM,
    )
    return next((one for one in reversed(found) if one.obstacle(account, rating) is None), None)


async def get(session: AsyncSession, challenge_id: str) -> ChallengeInfo:
    """Give a challenge. Raises NotFoundError."""
    found = await find_all(session, Challenge.id == challenge_id) if challenge_id.isalnum() else []
    if not found:
        raise NotFoundError("challenge")
    return found[0]


async def in_lobby(session: AsyncSession) -> list[ChallengeInfo]:
    """List the open challenges of the lobby, the newest first."""
    return await find_all(session, Challenge.status == "open", Challenge.kind == "open")


async def concerning(session: AsyncSession, account_id: int) -> list[ChallengeInfo]:
    """List what waits of the challenges to an account, and of its own that are not in the lobby."""
    mine = and_(Challenge.maker_id == account_id, Challenge.kind != "open")
    return await find_all(session, Challenge.status == "open", or_(mine, Challenge.opponent_id == account_id))


async def find_all(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[ChallengeInfo]:
    """List the challenges that meet some conditions, the newest first, 100 at most."""
    maker, opponent, rating = aliased(Account), aliased(Account), aliased(PlayerRating)
    rows = await session.execute(
        select(Challenge, maker, opponent, rating)
        .join(maker, maker.id == Challenge.maker_id)
        .outerjoin(opponent, opponent.id == Challenge.opponent_id)
        .outerjoin(rating, and_(rating.account_id == Challenge.maker_id, rating.game == Challenge.game))
        .where(*conditions)
        .order_by(Challenge.created_at.desc())
        .limit(_MOST_LISTED)
    )
    return [
        ChallengeInfo(
            id=row.id,
            terms=Terms(
                row.game,
                row.options,
                row.side,
                control_from_dict(row.time_control),
                row.rated,
                row.rating_min,
                row.rating_max,
            ),
            kind=row.kind,
            maker=made_by,
            maker_rating=ratings.as_of_now(rated) if rated else Rating(),
            opponent=meant_for,
            status=row.status,
            decline_reason=row.decline_reason,
            rematch_of=row.rematch_of,
            game_id=row.game_id,
            created_at=row.created_at,
        )
        for row, made_by, meant_for, rated in rows.tuples()
    ]
