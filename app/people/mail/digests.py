"""The daily digest of the games in which it is an account's turn."""

from typing import Final

from app.core.database.session import Database

# The moment moves on by whole days, so that digests keep their time of day.
_QUEUE: Final = """
WITH due AS (
    UPDATE notification_channels
    SET digest_at = digest_at + interval '1 day' * (1 + floor(extract(epoch FROM now() - digest_at) / 86400))
    WHERE digest_at <= now()
    RETURNING account_id, channel, is_active
)
INSERT INTO deliveries (channel, kind, account_id)
SELECT channel, 'digest', account_id FROM due
WHERE is_active AND EXISTS (
    SELECT FROM notifications turn WHERE turn.account_id = due.account_id AND turn.kind = 'my_turn'
)
"""


async def queue_digests(database: Database) -> None:
    """Queue a digest for each account that wants one now and has a turn to play."""
    await database.pool.execute(_QUEUE)
