"""Who belongs to a team: adding and removing members, in the caller's transaction, which locks the team."""

from sqlalchemy import case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import news
from app.compete.teams.models import Team, TeamMember, TeamRequest
from app.compete.teams.roles import Role
from app.compete.tournaments.conduct import cancel_those_of
from app.compete.tournaments.fitting import dismiss_unfit_from
from app.compete.tournaments.models import Tournament
from app.compete.tournaments.queries.tournaments import has_joined
from app.core.events import Event
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind


async def lock(session: AsyncSession, team_id: str) -> Team | None:
    """Return a team that is not closed, locked until the transaction ends, or None."""
    query = select(Team).where(Team.id == team_id, Team.closed_at.is_(None)).with_for_update()
    return await session.scalar(query.execution_options(populate_existing=True))


async def add(session: AsyncSession, team: Team, account_id: int, role: Role) -> None:
    """Add an account that is no member to a team; its request is done."""
    session.add(TeamMember(team_id=team.id, account_id=account_id, role=role))
    is_request = (TeamRequest.team_id == team.id) & (TeamRequest.account_id == account_id)
    await session.execute(delete(TeamRequest).where(is_request))
    await news.withdraw_request(session, team, account_id)
    team.size += 1
    await session.flush()


async def remove(session: AsyncSession, team: Team, account_id: int) -> list[Event]:
    """Remove a member from a team and its tournaments.

    If it is the leader, the first officer or else the first member leads the team then; the last member
    closes it. Return the events for after the commit.
    """
    events: list[Event] = []
    is_member = (TeamMember.team_id == team.id) & (TeamMember.account_id == account_id)
    await session.execute(delete(TeamMember).where(is_member))
    team.size -= 1
    if team.leader_id == account_id:
        is_officer = case((TeamMember.role == Role.OFFICER, 0), else_=1)
        successor = await session.scalar(
            select(TeamMember.account_id)
            .where(TeamMember.team_id == team.id)
            .order_by(is_officer, TeamMember.joined_at, TeamMember.account_id)
            .limit(1)
        )
        if successor is None:
            events += await close(session, team)
        else:
            await set_role(session, team, successor, Role.LEADER)
    await session.flush()
    return events + await dismiss_unfit_from(session, Tournament.team_id == team.id, has_joined(account_id))


async def close(session: AsyncSession, team: Team, knowing: int | None = None) -> list[Event]:
    """Close a team for good, and cancel its coming tournaments.

    Its members are notified, but for the account that knows. Return the events for after the commit.
    """
    team.closed_at = func.now()
    await news.withdraw_requests_to(session, team)
    members = await session.scalars(select(TeamMember.account_id).where(TeamMember.team_id == team.id))
    account_ids = set(members)
    await news.tell_members(session, team, NewsKind.TEAM_CLOSED, account_ids - {knowing})
    cancelled = await cancel_those_of(session, team.id)
    return [*cancelled, InboxChanged(tuple(account_ids | {team.leader_id}))]


async def set_role(session: AsyncSession, team: Team, account_id: int, role: Role) -> None:
    """Set the role of a member.

    The member is notified. A new leader makes the previous one an officer, and is also notified of who wants
    to join.
    """
    if role is Role.LEADER:
        await _write_role(session, team.id, team.leader_id, Role.OFFICER)
        team.leader_id = account_id
        await news.tell_leader(session, team, *await news.withdraw_requests_to(session, team))
    await _write_role(session, team.id, account_id, role)
    await news.tell_members(session, team, NewsKind.TEAM_ROLE, [account_id])
    await session.flush()


async def leave_all(session: AsyncSession, account_id: int) -> list[Event]:
    """Remove an account that is being closed from all teams, and withdraw its requests.

    Return the events for after the commit.
    """
    events: list[Event] = []
    is_open = (TeamRequest.account_id == account_id) & TeamRequest.refused_at.is_(None)
    asked = select(Team.leader_id).join(TeamRequest, TeamRequest.team_id == Team.id).where(is_open)
    leader_ids = set(await session.scalars(asked))
    mine = select(TeamMember.team_id).where(TeamMember.account_id == account_id).order_by(TeamMember.team_id)
    for team_id in (await session.scalars(mine)).all():
        team = await lock(session, team_id)
        if team is not None:
            events += await remove(session, team, account_id)
            leader_ids.add(team.leader_id)
    await session.execute(delete(TeamRequest).where(is_open))
    await news.withdraw_requests_of(session, account_id)
    return [*events, InboxChanged(tuple(leader_ids))]


async def _write_role(session: AsyncSession, team_id: str, account_id: int, role: Role) -> None:
    is_member = (TeamMember.team_id == team_id) & (TeamMember.account_id == account_id)
    await session.execute(update(TeamMember).where(is_member).values(role=role))
