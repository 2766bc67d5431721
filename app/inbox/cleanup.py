"""Keeping the lists of notifications short."""

from typing import Final

from app.database.session import Database

MOST = 200
"""How many notifications an account keeps."""

_DELETE_OLD: Final = "DELETE FROM notifications WHERE created_at < now() - interval '30 days'"
_DELETE_BEYOND: Final = """
DELETE FROM notifications USING (
    SELECT account_id, (array_agg(id ORDER BY id DESC))[$1] AS last
    FROM notifications GROUP BY account_id HAVING count(*) > $1
) AS long
WHERE notifications.account_id = long.account_id AND notifications.id < long.last
"""


async def delete_old_notifications(database: Database) -> None:
    """Delete notifications older than 30 days, and all but the latest `MOST` of each account."""
    await database.pool.execute(_DELETE_OLD)
    await database.pool.execute(_DELETE_BEYOND, MOST)
