"""The audit log: what concerned accounts, and what moderators did, in one list."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import true
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity.audit import last_events
from app.people.identity.models import SecurityEvent
from app.site.moderation import queries
from app.site.moderation.models import ModerationAction
from app.site.moderation.queries import LoggedAction

AuditLine = Mapping[str, Any]
"""A line: `at`, `action`, the name of the `account`, and what else is known of it."""


async def last_lines(session: AsyncSession, most: int, account_id: int | None = None) -> Sequence[AuditLine]:
    """Return the last `most` lines, of one account or of all; the newest first."""
    events = [_event(*row) for row in await last_events(session, most, account_id)]
    is_about = true() if account_id is None else ModerationAction.account_id == account_id
    actions = [_action(logged) for logged in await queries.actions(session, is_about, limit=most)]
    return sorted(events + actions, key=itemgetter("at"), reverse=True)[:most]


def _event(event: SecurityEvent, account: str | None) -> AuditLine:
    return {
        "at": event.at,
        "action": event.action,
        "account": account,
        "detail": event.detail,
        "network": event.network,
        "browser": event.browser,
    }


def _action(logged: LoggedAction) -> AuditLine:
    action = logged.action
    return {
        "at": action.at,
        "action": f"moderation_{action.action}",
        "account": logged.username,
        "moderator": logged.moderator,
        "reason": action.reason,
        "details": action.details,
    }
