"""Joining and leaving teams, and letting players in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import checks, memberships, news, queries
from app.compete.teams.models import Team, TeamRequest
from app.compete.teams.queries import ApplicantShown
from app.compete.teams.roles import Role
from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify

if TYPE_CHECKING:
    from app.core.events import Event

_MOST_ASKING = 100


class Joining:
    """Who joins and leaves the teams of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def applicants(self, identity: Identity, team_id: str) -> Sequence[ApplicantShown]:
        """Return who wants to join a team, and who was refused. Raise NotFoundError, ForbiddenError."""
        async with self._database.reading_now() as session:
            await queries.get(session, team_id)
            checks.check_may_admit(await queries.role_of(session, team_id, identity.id))
            return await queries.applicants(session, team_id, identity.id, _MOST_ASKING * 2)

    async def join(self, identity: Identity, team_id: str, text: str) -> bool:
        """Join a team that is open, or ask to join another one; return whether the identity is a member now.

        Raise NotFoundError, NeedsAccountError, ForbiddenError `refused` or `muted`, ConflictError `joined`,
        `team_full`, `too_many_teams`.
        """
        check_registered(identity, _("Register or log in to join a team."))
        async with self._database.transaction() as session:
            await checks.lock_own(session, identity)
            team = await checks.find_team(session, team_id)
            if await queries.role_of(session, team_id, identity.id) is not None:
                raise ConflictError("joined", _("You are a member of this team already."))
            request = await queries.request_of(session, team_id, identity.id)
            if request is not None and request.refused_at is not None:
                raise ForbiddenError("refused", _("This team does not let you join."))
            if request is None:
                await checks.check_joined(session, identity.id)
            if team.is_open:
                checks.check_room(team)
                await memberships.add(session, team, identity.id, Role.MEMBER)
                return True
            if text:
                await check_not_muted(session, identity.id)
            if request is None:
                await _check_asking(session, team)
                request = TeamRequest(team_id=team_id, account_id=identity.id)
                session.add(request)
            request.text = text
            await news.tell_leader(session, team, identity.id)
            leader_id = team.leader_id
        self._bus.publish(InboxChanged((leader_id,)))
        return False

    async def leave(self, identity: Identity, team_id: str) -> None:
        """Leave a team, or withdraw the request to join it.

        Another member leads the team then; without members it is closed. Raise NotFoundError, ConflictError
        `not_a_member`.
        """
        events: list[Event] = []
        async with self._database.transaction() as session:
            await checks.lock_own(session, identity)
            team = await checks.find_team(session, team_id)
            if await queries.role_of(session, team_id, identity.id) is not None:
                events = await memberships.remove(session, team, identity.id)
            else:
                request = await queries.request_of(session, team_id, identity.id)
                if request is None or request.refused_at is not None:
                    raise checks.not_a_member()
                await session.delete(request)
                await news.withdraw_request(session, team, identity.id)
            events.append(InboxChanged((team.leader_id,)))
        self._bus.publish(*events)

    async def admit(self, identity: Identity, team_id: str, username: str) -> None:
        """Admit a player who has asked, or who was refused before.

        Raise NotFoundError, ForbiddenError `not_an_officer`, ConflictError `not_asked` or `team_full`.
        """
        async with self._database.transaction() as session:
            team, player = await checks.administered_by(session, identity, team_id, username)
            request = await queries.request_of(session, team_id, player.id)
            if request is None:
                raise checks.not_asked()
            if request.refused_at is not None:  # they decide themselves whether they still want to
                await session.delete(request)
                return
            checks.check_room(team)
            await memberships.add(session, team, player.id, Role.MEMBER)
            leader_id = team.leader_id
            await notify(
                session, News(player.id, NewsKind.TEAM_JOINED, team.id, identity.id, {"name": team.name})
            )
        self._bus.publish(InboxChanged((player.id, leader_id)))

    async def refuse(self, identity: Identity, team_id: str, username: str) -> None:
        """Refuse a player who has asked, or remove a member; they cannot join any more until admitted.

        Raise NotFoundError, ForbiddenError `not_an_officer`, ConflictError `not_asked`.
        """
        events: list[Event] = []
        async with self._database.transaction() as session:
            team, player = await checks.administered_by(session, identity, team_id, username)
            request = await queries.request_of(session, team_id, player.id)
            role = await queries.role_of(session, team_id, player.id)
            if role is not None:
                own = await queries.role_of(session, team_id, identity.id)
                if role is not Role.MEMBER and (own is not Role.LEADER or role is Role.LEADER):
                    raise checks.not_the_leader()
                events = await memberships.remove(session, team, player.id)
                request = TeamRequest(team_id=team_id, account_id=player.id)
                session.add(request)
            if request is None:
                raise checks.not_asked()
            request.refused_at, request.text = func.now(), ""
            await news.withdraw_request(session, team, player.id)
            change = "refused" if role is None else "removed"
            await news.tell_members(session, team, NewsKind.TEAM_REMOVED, [player.id], change=change)
            events.append(InboxChanged((player.id, team.leader_id)))
        self._bus.publish(*events)


async def _check_asking(session: AsyncSession, team: Team) -> None:
    checks.check_room(team)
    waiting = select(func.count()).where(TeamRequest.team_id == team.id, TeamRequest.refused_at.is_(None))
    if (await session.scalar(waiting) or 0) >= _MOST_ASKING:
        raise ConflictError("team_full", _("Too many players want to join this team. Try again later."))
