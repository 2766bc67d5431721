"""What the server itself notices about accounts and tells the moderators.

A suspicion is a line of their queue, the table of reports, which `app.site.moderation` reads. Each is noted
at most once in 30 days.
"""

from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import Connection

_NOTE = """
INSERT INTO reports (account_id, reason, place, text)
SELECT $1::bigint, $2::text, $3::text, ''
WHERE NOT EXISTS (
    SELECT FROM reports
    WHERE account_id = $1 AND reason = $2 AND place = $3 AND reporter_id IS NULL
        AND reported_at > now() - interval '30 days'
)
ON CONFLICT DO NOTHING
"""


class Suspicion(StrEnum):
    """What may be noticed: the reason of the report."""

    HELP = "help"
    ABORTS = "aborts"
    PAIR = "pair"
    DERIVED = "derived"


async def note(session: AsyncSession, account_id: int, suspicion: Suspicion, place: str) -> None:
    """Note a suspicion about an account at a place, such as `game:ID`."""
    connection = await session.connection()
    await connection.exec_driver_sql(_NOTE, (account_id, suspicion, place))


async def note_on(connection: Connection, account_id: int, suspicion: Suspicion, place: str) -> None:
    """Do what `note` does, on a plain connection."""
    await connection.execute(_NOTE, account_id, suspicion, place)
