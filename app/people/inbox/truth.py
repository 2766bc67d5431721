"""Whether what a notification says is still true: asked right before it is listed, mailed or pushed.

Who ends what a notification is about withdraws it. This is for what nobody has withdrawn: an end that comes
by the clock, or between two statements. The conditions name tables of features that are above this one.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import ColumnElement, case, literal_column

from app.people.inbox.kinds import NewsKind
from app.people.inbox.models import Notification

_TURN: Final = """EXISTS (
    SELECT FROM games WHERE games.id = notifications.subject AND games.status = 'started'
    AND games.ply = coalesce((notifications.data ->> 'ply')::int, games.ply)
)"""
_JOINED: Final = """
    SELECT FROM tournaments JOIN tournament_players ON tournament_id = tournaments.id
    WHERE tournaments.id = notifications.subject AND tournaments.status = 'created'
    AND tournament_players.account_id = notifications.account_id
"""
_STARTS_THEN: Final = f"""EXISTS (
    {_JOINED} AND starts_at IS NOT DISTINCT FROM (notifications.data ->> 'starts_at')::timestamptz
)"""
_MEMBER: Final = """EXISTS (
    SELECT FROM team_members WHERE team_id = notifications.subject
    AND team_members.account_id = notifications.account_id
)"""

STILL_TRUE: Final[Mapping[NewsKind, str]] = {
    NewsKind.MY_TURN: _TURN,
    NewsKind.DEADLINE: _TURN,
    NewsKind.TAKEBACK: """EXISTS (
        SELECT FROM games WHERE games.id = notifications.subject AND games.status = 'started'
        AND games.takeback IS NOT NULL
    )""",
    NewsKind.CHALLENGE: """EXISTS (
        SELECT FROM challenges WHERE challenges.id = notifications.subject AND status = 'open'
    )""",
    NewsKind.LADDER_CHALLENGE: """EXISTS (
        SELECT FROM ladder_challenges WHERE ladder_challenges.id = notifications.subject
        AND game_id IS NULL AND outcome IS NULL
    )""",
    NewsKind.MESSAGE: """EXISTS (
        SELECT FROM message_threads WHERE message_threads.account_id = notifications.account_id
        AND other_id = notifications.actor_id AND unread > 0
    )""",
    NewsKind.EXPORT_READY: "EXISTS (SELECT FROM exports WHERE exports.id = notifications.subject)",
    NewsKind.TEAM_REQUEST: """EXISTS (
        SELECT FROM team_requests WHERE team_id = notifications.data ->> 'team'
        AND team_requests.account_id = notifications.actor_id AND refused_at IS NULL
    )""",
    NewsKind.TEAM_JOINED: _MEMBER,
    NewsKind.TEAM_ROLE: _MEMBER,
    NewsKind.TEAM_REMOVED: """EXISTS (
        SELECT FROM team_requests WHERE team_id = notifications.subject
        AND team_requests.account_id = notifications.account_id AND refused_at IS NOT NULL
    )""",
    NewsKind.TOURNAMENT_SOON: _STARTS_THEN,
    NewsKind.TOURNAMENT_CHANGED: f"EXISTS ({_JOINED})",
    NewsKind.TOURNAMENT_MOVED: _STARTS_THEN,
}
"""The condition of each kind that may cease to be true. What the other kinds tell has happened for good."""


def is_still_true() -> ColumnElement[bool]:
    """Return the condition that what a notification says is still true."""
    return case(
        *((Notification.kind == kind, literal_column(condition)) for kind, condition in STILL_TRUE.items()),
        else_=True,
    ).is_(True)
