"""What the leader of a team is notified of, who wants to join it, and what its members are."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import Team, TeamRequest
from app.core.i18n.text import _
from app.people.inbox import queries as inbox
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare
from app.people.inbox.service import News, notify, withdraw_if
from app.people.social.queries import hidden_authors

_IS_REQUEST = inbox.is_of_kind(NewsKind.TEAM_REQUEST)
_REMOVALS = {
    "removed": _("You are no longer in one of your teams"),
    "refused": _("A team declined your request to join"),
}
_IS_MEMBER = (
    "SELECT FROM team_members WHERE team_id = notifications.subject "
    "AND team_members.account_id = notifications.account_id"
)

declare(
    Kind(
        NewsKind.TEAM_REQUEST,
        _("%(player)s wants to join your team"),
        "/teams/{team}/requests",
        still_true=(
            "SELECT FROM team_requests WHERE team_id = notifications.data ->> 'team' "
            "AND team_requests.account_id = notifications.actor_id AND refused_at IS NULL"
        ),
        is_written=True,
    ),
    Kind(
        NewsKind.TEAM_JOINED, _("You are a member of a team now"), "/teams/{subject}", still_true=_IS_MEMBER
    ),
    Kind(
        NewsKind.TEAM_ROLE,
        _("Your role in a team has changed"),
        "/teams/{subject}",
        still_true=_IS_MEMBER,
        sent=Sent(_("Your role in a team")),
    ),
    Kind(
        NewsKind.TEAM_REMOVED,
        lambda item: _REMOVALS[item.data["change"]],
        "/teams/{subject}",
        still_true=(
            "SELECT FROM team_requests WHERE team_id = notifications.subject "
            "AND team_requests.account_id = notifications.account_id AND refused_at IS NOT NULL"
        ),
        sent=Sent(_("Removed or refused by a team")),
    ),
    Kind(NewsKind.TEAM_CLOSED, _("One of your teams was closed"), "/teams", sent=Sent(_("Closed teams"))),
)


async def tell_leader(session: AsyncSession, team: Team, *account_ids: int) -> None:
    """Notify the leader that accounts want to join the team, but for those whose words the leader never sees.

    After the commit publish `InboxChanged`.
    """
    hidden = await hidden_authors(session, team.leader_id)
    data = {"team": team.id, "name": team.name}
    news = [
        News(team.leader_id, NewsKind.TEAM_REQUEST, _subject(team, account_id), account_id, data)
        for account_id in account_ids
        if account_id not in hidden
    ]
    await notify(session, *news)


async def tell_members(
    session: AsyncSession, team: Team, kind: NewsKind, account_ids: Iterable[int], by: int | None, **data: str
) -> None:
    """Notify accounts of what concerns them in a team, which the account `by` did, None for a moderator.

    After the commit publish `InboxChanged`.
    """
    data["name"] = team.name
    await notify(session, *(News(account_id, kind, team.id, by, data) for account_id in account_ids))


async def withdraw_request(session: AsyncSession, team: Team, account_id: int) -> None:
    """Withdraw the notification that an account wants to join a team, whoever has it."""
    await withdraw_if(
        session, _IS_REQUEST, inbox.is_by(account_id), inbox.is_about(_subject(team, account_id))
    )


async def withdraw_requests_of(session: AsyncSession, account_id: int) -> None:
    """Withdraw the notifications that an account wants to join teams."""
    await withdraw_if(session, _IS_REQUEST, inbox.is_by(account_id))


async def withdraw_requests_to(session: AsyncSession, team: Team) -> list[int]:
    """Withdraw the notifications of all who want to join a team; return who they are."""
    is_open = (TeamRequest.team_id == team.id) & TeamRequest.refused_at.is_(None)
    asking = await session.scalars(select(TeamRequest.account_id).where(is_open))
    account_ids = list(asking)
    for account_id in account_ids:
        await withdraw_request(session, team, account_id)
    return account_ids


def _subject(team: Team, account_id: int) -> str:
    return f"{team.id}:{account_id}"
