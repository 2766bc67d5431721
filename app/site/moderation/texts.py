"""Quoting what players have written for others, and removing it."""

from sqlalchemy import and_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.inbox.service import rename_subject
from app.site.moderation.places import Place
from app.site.moderation.written import written_texts


async def quote(session: AsyncSession, place: Place | None, author_id: int, reader_id: int) -> str:
    """Return an author's text at a place, or nothing if there is none that the reader may read."""
    found = written_texts().get(place.kind) if place else None
    if found is None or place is None:
        return ""
    is_readable = found.written.readable(found.table.c, reader_id)
    query = select(found.text).where(found.is_at(place.name, author_id), is_readable)
    return (await session.scalar(query) or "").strip()


async def remove(session: AsyncSession, place: Place | None, author_id: int) -> bool:
    """Remove an author's text at a place, with its copies. Return False if there is none."""
    found = written_texts().get(place.kind) if place else None
    if found is None or place is None:
        return False
    # A line of chat has no text if it is a greeting.
    is_text = and_(found.is_at(place.name, author_id), found.text.is_not(None))
    statement = update(found.table).where(is_text).values(found.written.empty).returning(found.text)
    removed = (await session.execute(statement)).one_or_none()
    if removed is not None and found.written.is_named:
        await rename_subject(session, place.name, removed[0].partition("\n")[0])
    return removed is not None
