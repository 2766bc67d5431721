"""The end of sealed competitions, which the server's schedule looks for."""

from app.database.session import Database
from app.nugget import entries, standings
from app.realtime.bus import Bus


async def release_ended(database: Database, bus: Bus) -> None:
    """Enter the sealed entries of competitions that have ended into the rankings."""
    async with database.transaction() as session:
        released = await standings.release(session)
    if released:
        entries.announce(bus)
