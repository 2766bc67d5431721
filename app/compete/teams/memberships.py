"""Who belongs to a team: what commands check, and adding and removing members.

All of it is part of the caller's transaction, which locks accounts before teams.
"""

from sqlalchemy import case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import news, queries
from app.compete.teams.models import Team, TeamMember, TeamRequest
from app.compete.teams.queries import Role
from app.compete.tournaments.conduct import cancel_those_of
from app.compete.tournaments.entering import remove_ineligible_from
from app.compete.tournaments.models import Tournament
from app.compete.tournaments.queries import has_joined
from app.core.errors import ConflictError, ForbiddenError, UnauthenticatedError, found
from app.core.events import Event
from app.core.i18n.text import _
from app.people.identity.locking import Most, lock_account
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind

_MOST_JOINED = Most(
    20,
    "too_many_teams",
    "You belong to %(count)s team already. Leave one first.",
    "You belong to %(count)s teams already. Leave one first.",
)
_LARGEST = 500  # members


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
            events += await close(session, team, by=account_id, knows=account_id)
        else:
            await set_role(session, team, successor, Role.LEADER, by=account_id)
    await session.flush()
    return events + await remove_ineligible_from(
        session, Tournament.team_id == team.id, has_joined(account_id)
    )


async def close(session: AsyncSession, team: Team, by: int | None, knows: int) -> list[Event]:
    """Close a team for good, and cancel its coming tournaments.

    `by` is the account that closes it, None for a moderator. Its members are notified, except for the account
    that `knows` already. Return the events to publish after the commit.
    """
    team.closed_at = func.now()
    await news.withdraw_requests_to(session, team)
    members = await session.scalars(select(TeamMember.account_id).where(TeamMember.team_id == team.id))
    account_ids = set(members)
    await news.tell_members(session, team, NewsKind.TEAM_CLOSED, account_ids - {knows}, by)
    cancelled = await cancel_those_of(session, team.id, by)
    return [*cancelled, InboxChanged(tuple(account_ids | {team.leader_id}))]


async def set_role(session: AsyncSession, team: Team, account_id: int, role: Role, by: int) -> None:
    """Set the role of a member, as the account `by` wishes, or because it leaves.

    The member is notified. A new leader makes the previous one an officer, and is also notified of who wants
    to join.
    """
    if role is Role.LEADER:
        await _write_role(session, team.id, team.leader_id, Role.OFFICER)
        team.leader_id = account_id
        await news.tell_leader(session, team, *await news.withdraw_requests_to(session, team))
    await _write_role(session, team.id, account_id, role)
    await news.tell_members(session, team, NewsKind.TEAM_ROLE, [account_id], by)
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


async def lock_own(session: AsyncSession, identity: Identity) -> None:
    """Lock the account of an identity, before locking a team. Raise UnauthenticatedError if it is closed."""
    account = await lock_account(session, identity.id)
    if account.closed_at is not None:
        raise UnauthenticatedError


async def locked_team(session: AsyncSession, team_id: str) -> Team:
    """Return a team, locked. Raise NotFoundError."""
    return found(await lock(session, team_id), "team")


async def locked_team_of_leader(session: AsyncSession, identity: Identity, team_id: str) -> Team:
    """Return a team that the identity leads, locked. Raise NotFoundError, ForbiddenError."""
    team = await locked_team(session, team_id)
    if team.leader_id != identity.id:
        raise not_the_leader()
    return team


async def locked_team_and_player(
    session: AsyncSession, identity: Identity, team_id: str, username: str
) -> tuple[Team, Account]:
    """Return a team whose members the identity lets in and removes, and a player, both locked."""
    player = await locked_player(session, username)
    team = await locked_team(session, team_id)
    check_may_admit(await queries.role_of(session, team_id, identity.id))
    return team, player


async def locked_player(session: AsyncSession, username: str) -> Account:
    """Return a player, locked before locking a team. Raise NotFoundError."""
    return await lock_account(session, (await player(session, username)).id)


async def check_joined(session: AsyncSession, account_id: int) -> None:
    """Raise ConflictError `too_many_teams` if an account belongs to as many teams as it may."""
    await _MOST_JOINED.check(session, account_id, queries.count_joined(account_id))


def check_room(team: Team) -> None:
    """Raise ConflictError `team_full` if a team has as many members as it may."""
    if team.size >= _LARGEST:
        raise ConflictError("team_full", _("This team is full."))


def check_may_admit(role: Role | None) -> None:
    """Raise ForbiddenError `not_an_officer` unless a role lets players in."""
    if role is None or not role.may_admit:
        raise ForbiddenError("not_an_officer", _("Only the leader and the officers of the team can do this."))


def not_the_leader() -> ForbiddenError:
    """Return the error that only the leader can do something."""
    return ForbiddenError("not_the_leader", _("Only the leader of the team can do this."))


def not_a_member() -> ConflictError:
    """Return the error that a player is no member."""
    return ConflictError("not_a_member", _("This player is not a member of the team."))
