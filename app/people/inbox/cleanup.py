"""Keeping the lists of notifications short."""

from typing import Final

from app.core.database.session import Database
from app.people.inbox.kinds import ABOUT_TURNS

MOST = 200
"""How many notifications an account keeps."""

_DELETE_OLD: Final = """
DELETE FROM notifications
WHERE created_at < now() - interval '30 days' AND kind <> ALL($1::text[])
"""
_DELETE_BEYOND: Final = """
DELETE FROM notifications USING (
    SELECT account_id, (array_agg(id ORDER BY id DESC))[$1] AS last
    FROM notifications WHERE kind <> ALL($2::text[]) GROUP BY account_id HAVING count(*) > $1
) AS long
WHERE notifications.account_id = long.account_id AND notifications.id < long.last
    AND kind <> ALL($2::text[])
"""


async def delete_old_sendings(database: Database) -> None:
    """Delete what was sent before the time that counts, and is tried again no more."""
    await database.pool.execute("DELETE FROM sendings WHERE sent_at < now() - interval '3 days'")


async def delete_old_notifications(database: Database) -> None:
    """Delete notifications older than 30 days, and all but the latest `MOST` of each account.

    Those of turns stay as long as the turns: reminders and digests are made from them.
    """
    await database.pool.execute(_DELETE_OLD, ABOUT_TURNS)
    await database.pool.execute(_DELETE_BEYOND, MOST, ABOUT_TURNS)
