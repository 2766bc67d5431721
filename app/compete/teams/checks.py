"""What the commands of teams check, in the caller's transaction."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import memberships, queries
from app.compete.teams.models import Team
from app.compete.teams.roles import Role
from app.core.errors import ConflictError, ForbiddenError, NotFoundError, UnauthenticatedError
from app.core.i18n.text import _, ngettext
from app.people.identity.locking import check_limit, lock_account
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.service import Identity

_MOST_JOINED = 20
_LARGEST = 500  # members


async def lock_own(session: AsyncSession, identity: Identity) -> None:
    """Lock the account of an identity, before locking a team. Raise UnauthenticatedError if it is closed."""
    account = await lock_account(session, identity.id)
    if account.closed_at is not None:
        raise UnauthenticatedError


async def find_team(session: AsyncSession, team_id: str) -> Team:
    """Return a team, locked. Raise NotFoundError."""
    team = await memberships.lock(session, team_id)
    if team is None:
        raise NotFoundError("team")
    return team


async def led_by(session: AsyncSession, identity: Identity, team_id: str) -> Team:
    """Return a team that the identity leads, locked. Raise NotFoundError, ForbiddenError."""
    team = await find_team(session, team_id)
    if team.leader_id != identity.id:
        raise not_the_leader()
    return team


async def administered_by(
    session: AsyncSession, identity: Identity, team_id: str, username: str
) -> tuple[Team, Account]:
    """Return a team whose members the identity lets in and removes, and a player, both locked."""
    player = await find_player(session, username)
    team = await find_team(session, team_id)
    check_may_admit(await queries.role_of(session, team_id, identity.id))
    return team, player


async def find_player(session: AsyncSession, username: str) -> Account:
    """Return a player, locked before locking a team. Raise NotFoundError."""
    return await lock_account(session, (await player(session, username)).id)


async def check_joined(session: AsyncSession, account_id: int) -> None:
    """Raise ConflictError `too_many_teams` if an account belongs to as many teams as it may."""
    error = ConflictError(
        "too_many_teams",
        ngettext(
            "You belong to %(count)s team already. Leave one first.",
            "You belong to %(count)s teams already. Leave one first.",
            _MOST_JOINED,
        ),
    )
    await check_limit(session, account_id, queries.count_joined(account_id), _MOST_JOINED, error)


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


def not_asked() -> ConflictError:
    """Return the error that a player has not asked to join."""
    return ConflictError("not_asked", _("This player has not asked to join the team."))
