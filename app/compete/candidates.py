"""What is known of accounts that take part, or want to, in a tournament or on a ladder."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import FromClause, Select, SQLColumnExpression, and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import TeamMember
from app.compete.teams.queries import is_member
from app.core.database.statements import is_one_of, made_once
from app.core.errors import ForbiddenError
from app.people.eligibility import Candidate, EntryConditions, Ineligibility, why_ineligible
from app.people.identity import sanctions
from app.people.identity.models import Account, Sanction
from app.people.identity.service import Identity
from app.play.ratings.models import PlayerRating
from engine.glicko2 import Rating


async def candidates(
    session: AsyncSession, account_ids: Collection[int], game: str, team_id: str | None
) -> list[Candidate]:
    """Return what is known now of accounts at a game and in a team, in the order of their names."""
    rows = await session.execute(*_of_accounts(list(account_ids), game, team_id))
    return [candidate_of(*row) for row in rows]


@made_once
def _of_accounts(account_ids: Sequence[int], game: str, team_id: str | None) -> Select[*tuple[Any, ...]]:
    query = known(Account, game, team_id).where(is_one_of(Account.id, account_ids))
    return query.order_by(func.lower(Account.username))


def known(
    accounts: FromClause | type[Account],
    game: str | SQLColumnExpression[str],
    team_id: str | SQLColumnExpression[str | None] | None,
) -> Select[*tuple[Any, ...]]:
    """Return the query for what `candidate_of` makes candidates of, for the accounts of a table or join."""
    return (
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
        .select_from(accounts)
        .outerjoin(Sanction, and_(Sanction.account_id == Account.id, sanctions.IS_EXCLUDED))
        .outerjoin(PlayerRating, and_(PlayerRating.account_id == Account.id, PlayerRating.game == game))
        .outerjoin(TeamMember, and_(TeamMember.account_id == Account.id, TeamMember.team_id == team_id))
    )


def candidate_of(*row: Any) -> Candidate:
    """Return a candidate from a row of `known`, which has its members in their order."""
    *account, rating, games, is_member = row
    members = (*account, Rating() if rating is None else Rating(rating), games or 0, is_member)
    return Candidate(*members)


async def check_fits(
    session: AsyncSession, account_id: int, game: str, conditions: EntryConditions
) -> Candidate:
    """Return what is known of an account that may take part. Raise ForbiddenError: an `Ineligibility`."""
    (candidate,) = await candidates(session, [account_id], game, conditions.team_id)
    for reason in why_ineligible(conditions, candidate):
        if reason is Ineligibility.EXCLUDED:  # this error says until when
            await sanctions.check_may_play_rated(session, account_id)
        raise ForbiddenError(reason, reason.words)
    return candidate


async def check_member(session: AsyncSession, team_id: str | None, identity: Identity) -> None:
    """Raise ForbiddenError `not_a_member` unless an account belongs to a team, None to no team."""
    if team_id is not None and not await is_member(session, team_id, identity.id):
        raise ForbiddenError(Ineligibility.NOT_A_MEMBER, Ineligibility.NOT_A_MEMBER.words)
