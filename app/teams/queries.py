"""Teams and their members, read from the database."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.teams.models import Team, TeamMember
from app.teams.roles import Role


async def is_member(session: AsyncSession, team_id: str, account_id: int) -> bool:
    """Return whether an account belongs to a team that is not closed."""
    return await role_of(session, team_id, account_id) is not None


async def role_of(session: AsyncSession, team_id: str, account_id: int) -> Role | None:
    """Return the role of an account in a team that is not closed, or None if it is not a member."""
    role = await session.scalar(
        select(TeamMember.role)
        .join(Team, Team.id == TeamMember.team_id)
        .where(Team.id == team_id, TeamMember.account_id == account_id, Team.closed_at.is_(None))
    )
    return None if role is None else Role(role)


async def teams_of(session: AsyncSession, account_id: int) -> list[Team]:
    """Return the teams of an account, the largest first."""
    rows = await session.scalars(
        select(Team)
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(TeamMember.account_id == account_id, Team.closed_at.is_(None))
        .order_by(Team.size.desc(), Team.id)
    )
    return list(rows)
