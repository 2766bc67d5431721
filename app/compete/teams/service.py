"""Reading, making, changing and closing teams, and the roles of their members."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import checks, memberships, queries
from app.compete.teams.models import Team
from app.compete.teams.queries import MemberShown, TeamGameShown
from app.compete.teams.roles import Role
from app.core.database.session import Database
from app.core.errors import ConflictError, FieldError, ForbiddenError
from app.core.i18n.text import _, ngettext
from app.core.ids import new_id
from app.core.realtime.bus import Bus
from app.core.web.look_alikes import skeleton
from app.people.identity.limits import check_limit
from app.people.identity.models import Account
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.play.chat.service import is_new

_MOST_LED = 3  # teams of one account
_GAMES = 20


@dataclass(frozen=True, slots=True)
class Terms:
    """What a leader decides about a team."""

    name: str
    text: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """A team as a viewer sees it: the viewer's role, and whether the viewer has asked or was refused."""

    team: Team
    leader: str
    role: Role | None
    has_asked: bool
    is_refused: bool


@dataclass(frozen=True, slots=True)
class MemberList:
    """A page of the members of a team: the leader, the officers, the others."""

    members: Sequence[MemberShown]
    has_more: bool


@dataclass(frozen=True, slots=True)
class TeamPage:
    """A page of a list of teams."""

    teams: Sequence[Team]
    has_more: bool


class Teams:
    """The teams of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def named(self, words: str, *, number: int, limit: int) -> TeamPage:
        """Return a page of the teams whose names contain some words, the largest first."""
        async with self._database.reading() as session:
            teams = await queries.named(session, words, offset=limit * (number - 1), limit=limit + 1)
        return TeamPage(teams[:limit], has_more=len(teams) > limit)

    async def of_account(self, identity: Identity) -> Sequence[Team]:
        """Return the teams that the identity belongs to."""
        async with self._database.reading_now() as session:
            return await queries.teams_of(session, identity.id)

    async def get(self, team_id: str, viewer: Identity | None) -> TeamInfo:
        """Return a team as a viewer sees it. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            team = await queries.get(session, team_id)
            leader = await session.get_one(Account, team.leader_id)
            role = await queries.role_of(session, team_id, viewer.id) if viewer else None
            request = await queries.request_of(session, team_id, viewer.id) if viewer else None
        is_refused = request is not None and request.refused_at is not None
        return TeamInfo(team, leader.username, role, request is not None and not is_refused, is_refused)

    async def get_own(self, team_id: str, identity: Identity) -> TeamInfo:
        """Return a team that the identity leads. Raise NotFoundError, ForbiddenError `not_the_leader`."""
        info = await self.get(team_id, identity)
        if info.role is not Role.LEADER:
            raise checks.not_the_leader()
        return info

    async def members(self, team_id: str, *, number: int, limit: int) -> MemberList:
        """Return a page of the members of a team, with their ratings."""
        async with self._database.reading_now() as session:
            members = await queries.members(session, team_id, offset=limit * (number - 1), limit=limit + 1)
        return MemberList(members[:limit], has_more=len(members) > limit)

    async def games(self, team_id: str) -> Sequence[TeamGameShown]:
        """Return the last games that members of a team have finished."""
        async with self._database.reading() as session:
            return await queries.latest_games(session, team_id, _GAMES)

    async def check_maker(self, identity: Identity) -> None:
        """Raise NeedsAccountError, ForbiddenError `new_account` or `muted`, as `create` would."""
        async with self._database.reading_now() as session:
            await _check_maker(session, identity)

    async def create(self, identity: Identity, terms: Terms) -> str:
        """Make a team that the identity leads, and return its id.

        Raise NeedsAccountError, ForbiddenError `new_account` or `muted`, FieldError `name_taken`,
        ConflictError `too_many_teams`.
        """
        async with self._database.transaction() as session:
            await _check_maker(session, identity)
            error = ConflictError(
                "too_many_teams",
                ngettext("You lead %(count)s team already.", "You lead %(count)s teams already.", _MOST_LED),
            )
            await check_limit(session, identity.id, queries.count_led(identity.id), _MOST_LED, error)
            await checks.check_joined(session, identity.id)
            team = Team(id=new_id(), leader_id=identity.id, size=0)
            await _write_terms(session, team, terms)
            await memberships.add(session, team, identity.id, Role.LEADER)
            return team.id

    async def change(self, identity: Identity, team_id: str, terms: Terms) -> None:
        """Change a team.

        Raise NotFoundError, ForbiddenError `not_the_leader` or `muted`, FieldError `name_taken`.
        """
        async with self._database.transaction() as session:
            team = await checks.led_by(session, identity, team_id)
            await check_not_muted(session, identity.id)
            await _write_terms(session, team, terms)

    async def close(self, identity: Identity, team_id: str) -> None:
        """Close a team for good, and cancel its tournaments that have not begun.

        Raise NotFoundError, ForbiddenError `not_the_leader`.
        """
        async with self._database.transaction() as session:
            team = await checks.led_by(session, identity, team_id)
            events = await memberships.close(session, team, knowing=identity.id)
        self._bus.publish(*events)

    async def set_role(self, identity: Identity, team_id: str, username: str, role: Role) -> None:
        """Set the role of a member; the leader's role transfers the team.

        Raise NotFoundError, ForbiddenError `not_the_leader`, ConflictError `not_a_member`, `too_many_teams`.
        """
        async with self._database.transaction() as session:
            player = await checks.find_player(session, username)
            team = await checks.led_by(session, identity, team_id)
            current = await queries.role_of(session, team_id, player.id)
            if current is None:
                raise checks.not_a_member()
            if current is Role.LEADER:
                raise ConflictError("leader", _("Hand the team over to another member instead."))
            if role is Role.LEADER:
                error = ConflictError("too_many_teams", _("This player leads too many teams already."))
                await check_limit(session, player.id, queries.count_led(player.id), _MOST_LED, error)
            await memberships.set_role(session, team, player.id, role)
        self._bus.publish(InboxChanged((identity.id, player.id)))


async def _check_maker(session: AsyncSession, identity: Identity) -> None:
    check_registered(identity, _("Register or log in to make a team."))
    if await is_new(session, identity.id):
        raise ForbiddenError(
            "new_account", _("You can make a team a day after registering, when you have played.")
        )
    await check_not_muted(session, identity.id)


async def _write_terms(session: AsyncSession, team: Team, terms: Terms) -> None:
    if terms.name != team.name:
        team.name, team.skeleton = terms.name, skeleton(terms.name)
    team.text, team.is_open = terms.text, terms.is_open
    session.add(team)
    try:
        await session.flush()
    except IntegrityError:
        raise FieldError(
            "name",
            "name_taken",
            _("A team with this name, or one that looks like it, exists already. Choose a different name."),
        ) from None
