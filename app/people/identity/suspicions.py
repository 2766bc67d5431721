"""What the server itself notices about accounts and tells the moderators.

A suspicion is a line of their queue, the table of reports, which `app.site.moderation` reads. Each is noted
at most once in 30 days.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

_NOTE = """
INSERT INTO reports (account_id, reason, place, text)
SELECT {account}, {reason}, {place}, ''
WHERE NOT EXISTS (
    SELECT FROM reports
    WHERE account_id = {account} AND reason = {reason} AND place = {place} AND reporter_id IS NULL
        AND reported_at > now() - interval '30 days'
)
ON CONFLICT DO NOTHING
"""
_OF_SESSION = text(
    _NOTE.format(
        account="CAST(:account AS bigint)", reason="CAST(:reason AS text)", place="CAST(:place AS text)"
    )
)
_OF_CONNECTION = _NOTE.format(account="$1::bigint", reason="$2::text", place="$3::text")


class Suspicion(StrEnum):
    """What may be noticed: the reason of the report."""

    HELP = "help"
    ABORTS = "aborts"
    PAIR = "pair"
    DERIVED = "derived"


async def note(session: AsyncSession, account_id: int, suspicion: Suspicion, place: str) -> None:
    """Note a suspicion about an account at a place, such as `game:ID`."""
    await session.execute(_OF_SESSION, {"account": account_id, "reason": suspicion, "place": place})


async def note_on(connection: "Connection", account_id: int, suspicion: Suspicion, place: str) -> None:
    """Do what `note` does, on a plain connection."""
    await connection.execute(_OF_CONNECTION, account_id, suspicion, place)
