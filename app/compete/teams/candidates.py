"""What is known of accounts that take part, or want to, in a tournament or on a ladder."""

from collections.abc import Collection

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import TeamMember
from app.core.errors import ForbiddenError
from app.people.eligibility import WORDS, Candidate, Conditions, Misfit, misfits
from app.people.identity import sanctions
from app.people.identity.models import Account, Sanction
from app.play.ratings.models import PlayerRating
from engine.glicko2 import Rating


async def candidates(
    session: AsyncSession, account_ids: Collection[int], game: str, team_id: str | None
) -> list[Candidate]:
    """Return what is known now of accounts at a game and in a team, in the order of their names."""
    rows = await session.execute(
        select(
            Account.id,
            Account.username,
            Account.closed_at.is_not(None),
            Account.is_computer,
            Sanction.until,
            PlayerRating.rating,
            PlayerRating.games,
            TeamMember.account_id.is_not(None),
        )
        .outerjoin(
            Sanction,
            and_(
                Sanction.account_id == Account.id,
                Sanction.kind == sanctions.SanctionKind.NO_RATED,
                Sanction.until > func.now(),
            ),
        )
        .outerjoin(PlayerRating, and_(PlayerRating.account_id == Account.id, PlayerRating.game == game))
        .outerjoin(TeamMember, and_(TeamMember.account_id == Account.id, TeamMember.team_id == team_id))
        .where(Account.id.in_(account_ids))
        .order_by(func.lower(Account.username))
    )
    return [
        Candidate(
            account_id,
            username,
            is_closed=is_closed,
            is_computer=is_computer,
            excluded_until=until,
            rating=Rating() if rating is None else Rating(rating),
            games=games or 0,
            is_member=is_member,
        )
        for account_id, username, is_closed, is_computer, until, rating, games, is_member in rows
    ]


async def check_fits(session: AsyncSession, account_id: int, game: str, conditions: Conditions) -> Candidate:
    """Return what is known of an account that may take part. Raise ForbiddenError: a `Misfit`."""
    (candidate,) = await candidates(session, [account_id], game, conditions.team_id)
    for misfit in misfits(conditions, candidate):
        if misfit is Misfit.EXCLUDED:  # this error says until when
            await sanctions.check_may_play_rated(session, account_id)
        raise ForbiddenError(misfit, WORDS[misfit])
    return candidate
