"""Challenges, read from the database."""

from collections.abc import Mapping
from typing import cast

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.errors import NotFoundError
from app.identity.models import Account
from app.lobby.challenges import RANDOM, ChallengeInfo, Kind, Terms
from app.lobby.models import Challenge
from app.ratings import queries as ratings
from app.ratings.models import PlayerRating
from engine.clock import control_from_dict, control_to_dict
from engine.glicko2 import Rating

_MOST_LISTED = 100


async def get(session: AsyncSession, challenge_id: str) -> ChallengeInfo:
    """Return a challenge. Raise NotFoundError."""
    challenges = await where(session, Challenge.id == challenge_id)
    if not challenges:
        raise NotFoundError("challenge")
    return challenges[0]


async def in_lobby(session: AsyncSession) -> list[ChallengeInfo]:
    """Return the open challenges of the lobby, the newest first."""
    return await where(session, Challenge.status == "open", Challenge.kind == "open")


async def concerning(session: AsyncSession, account_id: int) -> list[ChallengeInfo]:
    """Return the open challenges to an account, and its own that are not in the lobby."""
    is_own = and_(Challenge.maker_id == account_id, Challenge.kind != "open")
    return await where(session, Challenge.status == "open", or_(is_own, Challenge.opponent_id == account_id))


async def matching(session: AsyncSession, terms: Terms, options: Mapping[str, int]) -> list[ChallengeInfo]:
    """Return the open challenges of the lobby with these terms and complete options, the oldest first."""
    challenges = await where(
        session,
        Challenge.status == "open",
        Challenge.kind == "open",
        Challenge.game == terms.game,
        Challenge.options == options,
        Challenge.time_control == control_to_dict(terms.control),
        Challenge.rated == terms.rated,
        Challenge.side == RANDOM,
    )
    return challenges[::-1]


async def rematch_of(session: AsyncSession, game_id: str) -> ChallengeInfo | None:
    """Return the open offer of a rematch of a game, or None."""
    challenges = await where(session, Challenge.rematch_of == game_id, Challenge.status == "open")
    return challenges[0] if challenges else None


async def makers(session: AsyncSession) -> list[int]:
    """Return the accounts that have an open challenge."""
    query = select(Challenge.maker_id).where(Challenge.status == "open").distinct()
    return list(await session.scalars(query))


def count_open(maker_id: int) -> Select[int]:
    """Return the query for the number of an account's open challenges."""
    return select(func.count()).where(Challenge.maker_id == maker_id, Challenge.status == "open")


async def where(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[ChallengeInfo]:
    """Return the challenges that meet some conditions, the newest first, at most 100."""
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
    return [_info(*row) for row in rows.tuples()]


def _info(
    row: Challenge, maker: Account, opponent: Account | None, rating: PlayerRating | None
) -> ChallengeInfo:
    return ChallengeInfo(
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
        kind=cast("Kind", row.kind),
        maker=maker,
        maker_rating=ratings.as_of_now(rating) if rating else Rating(),
        opponent=opponent,
        status=row.status,
        decline_reason=row.decline_reason,
        rematch_of=row.rematch_of,
        game_id=row.game_id,
        created_at=row.created_at,
    )
