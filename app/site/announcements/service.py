"""Announcing something to everybody, and keeping the banner of this process up to date."""

import asyncio
import contextlib
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import readable
from app.core.errors import FieldError
from app.core.events import Event, Resync
from app.core.i18n.languages import LANGUAGES, SOURCE
from app.core.i18n.text import _
from app.core.merging import check_seen
from app.core.moments import utc_now
from app.core.realtime.hub import Hub
from app.core.web.banner import Banner
from app.core.web.plain_text import words
from app.people.identity import audit
from app.people.identity.audit import SiteAction
from app.people.identity.clients import Client
from app.site.announcements.events import ANNOUNCEMENTS
from app.site.announcements.models import Announcement

LONGEST = 300
"""The most characters of a text."""
_LOOK_EVERY = 10.0  # seconds: the command line publishes no event


async def current(session: AsyncSession) -> Announcement | None:
    """Return what is announced now, or None, also if it cannot be read."""
    rows = await session.scalars(select(Announcement).where(Announcement.ends_at > utc_now()))
    return next(iter(readable(_checked, rows)), None)


async def announce(
    database: Database, texts: Mapping[str, str], ends_at: datetime, by: Client = audit.OPERATOR
) -> None:
    """Announce a text by language until a moment, in place of an earlier one. Raise FieldError."""
    lines = {language: line for language in LANGUAGES if (line := words(texts.get(language, "")))}
    if SOURCE not in lines:
        raise FieldError(
            SOURCE, "no_text", _("Write the English text: readers of other languages get it, too.")
        )
    for language, line in lines.items():
        if len(line) > LONGEST:
            raise FieldError(language, "too_long", _("Write at most %(most)s characters.", most=LONGEST))
    if ends_at <= utc_now():
        raise FieldError("ends_at", "is_over", _("Choose an end that is still to come."))
    async with database.transaction() as session:
        statement = insert(Announcement).values(texts=lines, ends_at=ends_at)
        changed = {"texts": lines, "ends_at": ends_at}
        await session.execute(statement.on_conflict_do_update(index_elements=["single"], set_=changed))
        audit.record_of_site(session, SiteAction.ANNOUNCED, by, lines[SOURCE])


async def withdraw(database: Database, by: Client = audit.OPERATOR, seen: str | None = None) -> None:
    """Take back what is announced. Raise StaleError if it is not the English text that was seen."""
    async with database.transaction() as session:
        announced = await session.scalar(delete(Announcement).returning(Announcement.texts))
        if announced is not None and seen is not None:  # what cannot be read can be taken back unseen
            message = _("Something else is announced now. Look at it before you take it back.")
            check_seen(announced.get(SOURCE), seen, message)
        if announced is not None:
            audit.record_of_site(session, SiteAction.ANNOUNCEMENT_ENDED, by)


def _checked(row: Announcement) -> Announcement:
    """Return an announcement. Raise an error unless it has a text for readers of every language."""
    if not (row.texts[SOURCE] and all(isinstance(text, str) for text in row.texts.values())):
        raise ValueError("It has other texts than an announcement.")
    return row


class Announcer:
    """Shows what is announced in the banner of this process."""

    def __init__(self, database: Database, hub: Hub, banner: Banner) -> None:
        self._database = database
        self._hub = hub
        self._banner = banner

    async def look(self) -> None:
        """Show what is announced now."""
        async with self._database.reading_now() as session:
            announcement = await current(session)
        if announcement is None:
            self._banner.show({}, None)
        else:
            self._banner.show(announcement.texts, announcement.ends_at)

    async def run(self) -> None:
        """Look after each event and every few seconds, until cancelled."""
        changed = asyncio.Event()

        def hear(_event: Event | Resync) -> None:
            changed.set()

        self._hub.listen(hear, (ANNOUNCEMENTS,))
        try:
            while True:
                await self.look()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), _LOOK_EVERY)
                changed.clear()
        finally:
            self._hub.ignore(hear, (ANNOUNCEMENTS,))
