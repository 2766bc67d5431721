"""The commands on teams, and reading them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import decisions, memberships, news, queries
from app.compete.teams.decisions import Ends
from app.compete.teams.models import Team, TeamRequest
from app.compete.teams.queries import ApplicantShown, Role, TeamDetails
from app.core.database.session import Database, reads, reads_now
from app.core.errors import ConflictError, FieldError, ForbiddenError
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.merging import Revision
from app.core.realtime.bus import Bus
from app.core.web.look_alikes import skeleton
from app.people.identity.locking import Most
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.play.chat.service import is_new

if TYPE_CHECKING:
    from app.core.events import Event

_MOST_LED = Most(
    3,
    "too_many_teams",
    "You lead %(count)s team already.",
    "You lead %(count)s teams already.",
)
_MOST_ASKING = 100


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """What a leader decides about a team."""

    name: str
    text: str
    is_open: bool


class Teams:
    """The teams of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    named = reads(queries.named)
    of_account = reads_now(queries.teams_of)
    members = reads_now(queries.members)
    games = reads(queries.latest_games)

    async def get(self, team_id: str, viewer: Identity | None) -> TeamDetails:
        """Return a team as a viewer sees it. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.get(session, team_id, viewer.id if viewer else None)

    async def get_own(self, team_id: str, identity: Identity) -> TeamDetails:
        """Return a team that the identity leads. Raise NotFoundError, ForbiddenError `not_the_leader`."""
        team = await self.get(team_id, identity)
        if team.role is not Role.LEADER:
            raise memberships.not_the_leader()
        return team

    async def applicants(self, identity: Identity, team_id: str) -> Sequence[ApplicantShown]:
        """Return who wants to join a team, and who was refused. Raise NotFoundError, ForbiddenError."""
        async with self._database.reading_now() as session:
            memberships.check_may_admit((await queries.get(session, team_id, identity.id)).role)
            return await queries.applicants(session, team_id, identity.id, _MOST_ASKING * 2)

    async def check_maker(self, identity: Identity) -> None:
        """Raise NeedsAccountError, ForbiddenError `new_account` or `muted`, as `create` would."""
        async with self._database.reading_now() as session:
            await _check_maker(session, identity)

    async def create(self, identity: Identity, settings: TeamSettings) -> str:
        """Make a team that the identity leads, and return its id.

        Raise NeedsAccountError, ForbiddenError `new_account` or `muted`, FieldError `name_taken`,
        ConflictError `too_many_teams`.
        """
        async with self._database.transaction() as session:
            await _check_maker(session, identity)
            await _MOST_LED.check(session, identity.id, queries.count_led(identity.id))
            await memberships.check_joined(session, identity.id)
            ids = dict.fromkeys(("leader_id", "written_by", "text_by"), identity.id)
            team = Team(id=new_id(), **ids, size=0, text=settings.text, is_open=settings.is_open)
            await _write_name(session, team, settings.name)
            await memberships.add(session, team, identity.id, Role.LEADER)
            return team.id

    async def change(self, identity: Identity, team_id: str, change: Revision[TeamSettings]) -> None:
        """Change a team.

        Raise NotFoundError, ForbiddenError `not_the_leader` or `muted`, FieldError `name_taken`, and what
        `change` raises.
        """
        async with self._database.transaction() as session:
            team = await memberships.locked_team_of_leader(session, identity, team_id)
            await check_not_muted(session, identity.id)
            settings = change(TeamSettings(team.name, team.text, team.is_open))
            if settings.name != team.name:
                team.written_by = identity.id
            if settings.text != team.text:
                team.text_by = identity.id
            team.text, team.is_open = settings.text, settings.is_open
            await _write_name(session, team, settings.name)

    async def close(self, identity: Identity, team_id: str) -> None:
        """Close a team for good, and cancel its tournaments that have not begun.

        Raise NotFoundError, ForbiddenError `not_the_leader`.
        """
        async with self._database.transaction() as session:
            team = await memberships.locked_team_of_leader(session, identity, team_id)
            events = await memberships.close(session, team, by=identity.id, knows=identity.id)
        self._bus.publish(*events)

    async def set_role(self, identity: Identity, team_id: str, username: str, role: Role) -> None:
        """Set the role of a member; the leader's role transfers the team.

        A member who has the role already is not told of it again.

        Raise NotFoundError, ForbiddenError `not_the_leader`, ConflictError `not_a_member`, `too_many_teams`.
        """
        async with self._database.transaction() as session:
            player = await memberships.locked_player(session, username)
            team = await memberships.locked_team_of_leader(session, identity, team_id)
            current = await queries.role_of(session, team_id, player.id)
            if current is None:
                raise memberships.not_a_member()
            if current is Role.LEADER:
                raise ConflictError("leader", _("Hand the team over to another member instead."))
            if current is role:
                return
            if role is Role.LEADER:
                led = queries.count_led(player.id)
                if await _MOST_LED.is_reached(session, player.id, led):
                    raise ConflictError("too_many_teams", _("This player leads too many teams already."))
            await memberships.set_role(session, team, player.id, role, by=identity.id)
        self._bus.publish(InboxChanged((identity.id, player.id)))

    async def join(
        self, identity: Identity, team_id: str, text: str, seen_as_open: bool | None = None
    ) -> bool:
        """Join a team that is open, or ask to join another one; return whether the identity is a member now.

        Raise NotFoundError, NeedsAccountError, ForbiddenError `refused` or `muted`, ConflictError `joined`,
        `team_full`, `too_many_teams`, StaleError as `decisions.check_joining` does.
        """
        check_registered(identity, _("Register or log in to join a team."))
        async with self._database.transaction() as session:
            await memberships.lock_own(session, identity)
            team = await memberships.locked_team(session, team_id)
            if await queries.role_of(session, team_id, identity.id) is not None:
                raise ConflictError("joined", _("You are a member of this team already."))
            request = await queries.request_of(session, team_id, identity.id)
            if request is not None and request.refused_at is not None:
                raise ForbiddenError("refused", _("This team does not let you join."))
            if request is None:
                await memberships.check_joined(session, identity.id)
            decisions.check_joining(is_open=team.is_open, seen=seen_as_open)
            is_member, leader_id = team.is_open, team.leader_id
            if is_member:
                memberships.check_room(team)
                await memberships.add(session, team, identity.id, Role.MEMBER)
            else:
                if text:
                    await check_not_muted(session, identity.id)
                if request is None:
                    await _check_asking(session, team)
                    request = TeamRequest(team_id=team_id, account_id=identity.id)
                    session.add(request)
                elif request.text == text:
                    return False
                request.text = text
                await news.tell_leader(session, team, identity.id)
        self._bus.publish(InboxChanged((leader_id,)))
        return is_member

    async def leave(self, identity: Identity, team_id: str, seen: Ends | None = None) -> None:
        """Leave a team, or withdraw the request to join it.

        Another member leads the team then; without members it is closed. Raise NotFoundError, ConflictError
        `not_a_member`, StaleError as `decisions.check_leaving` does.
        """
        events: list[Event] = []
        async with self._database.transaction() as session:
            await memberships.lock_own(session, identity)
            team = await memberships.locked_team(session, team_id)
            role = await queries.role_of(session, team_id, identity.id)
            if role is not None:
                decisions.check_leaving(role, team.size, seen)
                events = await memberships.remove(session, team, identity.id)
            else:
                request = await queries.request_of(session, team_id, identity.id)
                if request is None or request.refused_at is not None:
                    raise memberships.not_a_member()
                decisions.check_leaving(None, team.size, seen)
                await session.delete(request)
                await news.withdraw_request(session, team, identity.id)
            events.append(InboxChanged((team.leader_id,)))
        self._bus.publish(*events)

    async def admit(
        self, identity: Identity, team_id: str, username: str, seen_as_refused: bool | None = None
    ) -> None:
        """Admit a player who has asked, or who was refused before.

        Raise NotFoundError, ForbiddenError `not_an_officer`, ConflictError `not_asked` or `team_full`,
        StaleError as `decisions.check_admitting` does.
        """
        async with self._database.transaction() as session:
            team, player = await memberships.locked_team_and_player(session, identity, team_id, username)
            request = await queries.request_of(session, team_id, player.id)
            if request is None:
                raise ConflictError("not_asked", _("This player has not asked to join the team."))
            decisions.check_admitting(is_refused=request.refused_at is not None, seen=seen_as_refused)
            if request.refused_at is not None:  # they decide themselves whether they still want to
                await session.delete(request)
                return
            memberships.check_room(team)
            await memberships.add(session, team, player.id, Role.MEMBER)
            await news.tell_members(session, team, NewsKind.TEAM_JOINED, [player.id], identity.id)
            leader_id = team.leader_id
        self._bus.publish(InboxChanged((player.id, leader_id)))

    async def refuse(self, identity: Identity, team_id: str, username: str) -> None:
        """Refuse a player who has asked; they cannot join any more until admitted.

        Raise NotFoundError, ForbiddenError `not_an_officer`, ConflictError `not_asked`, also if the player
        has been let in meanwhile.
        """
        async with self._database.transaction() as session:
            team, player = await memberships.locked_team_and_player(session, identity, team_id, username)
            request = await queries.request_of(session, team_id, player.id)
            if request is None:
                raise ConflictError("not_asked", _("This player has not asked to join the team."))
            if request.refused_at is not None:
                return
            await _bar(session, team, request, identity.id, "refused")
        self._bus.publish(InboxChanged((player.id, team.leader_id)))

    async def remove(self, identity: Identity, team_id: str, username: str) -> None:
        """Remove a member, or refuse a player who has asked; they cannot join any more until admitted.

        Raise NotFoundError, ForbiddenError `not_an_officer` or `not_the_leader`, ConflictError `not_asked`.
        """
        events: list[Event] = []
        async with self._database.transaction() as session:
            team, player = await memberships.locked_team_and_player(session, identity, team_id, username)
            request = await queries.request_of(session, team_id, player.id)
            role = await queries.role_of(session, team_id, player.id)
            if role is not None:
                own = await queries.role_of(session, team_id, identity.id)
                if role is not Role.MEMBER and (own is not Role.LEADER or role is Role.LEADER):
                    raise memberships.not_the_leader()
                events = await memberships.remove(session, team, player.id)
                request = TeamRequest(team_id=team_id, account_id=player.id)
                session.add(request)
            if request is None:
                raise ConflictError(
                    "not_asked", _("This player is not in the team, and has not asked to join it.")
                )
            if request.refused_at is not None:
                return
            await _bar(session, team, request, identity.id, "refused" if role is None else "removed")
        self._bus.publish(*events, InboxChanged((player.id, team.leader_id)))


async def _check_maker(session: AsyncSession, identity: Identity) -> None:
    check_registered(identity, _("Register or log in to make a team."))
    if await is_new(session, identity.id):
        raise ForbiddenError(
            "new_account", _("You can make a team a day after registering, when you have played.")
        )
    await check_not_muted(session, identity.id)


async def _bar(session: AsyncSession, team: Team, request: TeamRequest, by: int, change: str) -> None:
    """Refuse a request, and tell its player of the change."""
    request.refused_at, request.text = func.now(), ""
    await news.withdraw_request(session, team, request.account_id)
    await news.tell_members(session, team, NewsKind.TEAM_REMOVED, [request.account_id], by, change=change)


async def _write_name(session: AsyncSession, team: Team, name: str) -> None:
    if name != team.name:
        if await queries.is_reserved(session, name, team.id):
            raise _name_taken()
        team.name, team.skeleton = name, skeleton(name)
    session.add(team)
    try:
        await session.flush()
    except IntegrityError:
        raise _name_taken() from None


def _name_taken() -> FieldError:
    return FieldError(
        "name",
        "name_taken",
        _("A team with this name, or one that looks like it, exists already. Choose a different name."),
    )


async def _check_asking(session: AsyncSession, team: Team) -> None:
    memberships.check_room(team)
    waiting = select(func.count()).where(TeamRequest.team_id == team.id, TeamRequest.refused_at.is_(None))
    if (await session.scalar(waiting) or 0) >= _MOST_ASKING:
        raise ConflictError("team_full", _("Too many players want to join this team. Try again later."))
