"""Reminders of deadlines in correspondence games."""

from typing import Final

from sqlalchemy import text

from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify

_MOST = 500  # at a time

# The notification of the turn says whose turn it is; both are deleted when the turn is over. No turn of a
# real-time game takes 6 hours, and a quarter of the longest turn is 7 days, not counting weekends. Nobody is
# reminded on vacation. Time that nothing interrupts is a difference: counting takes fifty times as long.
_DUE: Final = """
SELECT turn.account_id, turn.subject, turn.actor_id,
    turn.data || jsonb_build_object('deadline', game.deadline) AS data
FROM games game
JOIN notifications turn ON turn.account_id IN (game.first_player, game.second_player)
    AND turn.kind = 'my_turn' AND turn.subject = game.id
CROSS JOIN LATERAL (
    SELECT
        CASE WHEN off OR game.stop_from IS NOT NULL
            THEN counted_between(game.clock_since, game.deadline, off, game.stop_from, game.stop_until)
            ELSE extract(epoch FROM game.deadline - game.clock_since) * 1000
        END AS whole,
        CASE WHEN off OR game.stop_from IS NOT NULL
            THEN counted_between(now(), game.deadline, off, game.stop_from, game.stop_until)
            ELSE extract(epoch FROM game.deadline - now()) * 1000
        END AS rest
    FROM (SELECT game.time_control ? 'weekends_off' AS off) AS weekends
) AS milliseconds
WHERE game.watch_at <= now() + interval '12 days' AND game.status = 'started' AND game.deadline > now()
AND whole > 6 * 3600000 AND rest <= greatest(whole / 4, 6 * 3600000)
AND (game.stop_from IS NULL OR game.stop_until <= now())
AND NOT EXISTS (
    SELECT FROM notifications reminder
    WHERE reminder.account_id = turn.account_id AND reminder.kind = 'deadline'
    AND reminder.subject = turn.subject
)
LIMIT :most
"""


async def remind_of_deadlines(database: Database, bus: Bus) -> None:
    """Notify the players of whose time for a move a quarter is left, at least 6 hours before its end."""
    async with database.transaction() as session:
        rows = await session.execute(text(_DUE), {"most": _MOST})
        news = [News(row.account_id, NewsKind.DEADLINE, row.subject, row.actor_id, row.data) for row in rows]
        if news:
            await notify(session, *news)
    if news:
        bus.publish(InboxChanged(tuple({item.account_id for item in news})))
