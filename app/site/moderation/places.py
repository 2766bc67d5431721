"""Places that reports are about: `game:ID`, `entry:ID`, `profile:USERNAME`, and texts with their ids.

A place is what a page or program attaches to a report. One of an unknown form is kept as it is. The
models declare the texts that players write for others: what is reported is quoted, and may be removed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, ColumnElement, Integer, and_, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import ids
from app.core.database.base import Base
from app.core.database.written import Written
from app.core.feature import import_all
from app.core.i18n.text import Text, _
from app.people.inbox.service import rename_subject

_PLACE = re.compile(r"(?P<kind>[a-z]+):(?P<name>[A-Za-z0-9_-]+)")
_NUMBER = "[0-9]{1,18}"


class PlaceKind(NamedTuple):
    """A kind of places: what moderators read, which names it has, and the paths of its pages."""

    noun: Text | None = None
    form: str = ".*"
    page: str | None = None
    page_of_moderators: str | None = None


_KINDS = {
    "game": PlaceKind(_("Game"), ids.PATTERN, "/games/{}"),
    "entry": PlaceKind(_("Entry"), ids.PATTERN, "/nugget/entries/{}"),
    "action": PlaceKind(_("Answer to a decision"), _NUMBER),
}
_UNKNOWN = PlaceKind()


class WrittenText:
    """Where a kind of texts is stored."""

    def __init__(self, model: type[Base], written: Written) -> None:
        self.written = written
        self.table = model.metadata.tables[model.__tablename__]
        self.author = self.table.c[written.author]
        (self._id,) = self.table.primary_key.columns
        self._is_numbered = self._id is not self.author and isinstance(self._id.type, Integer)

    @property
    def form(self) -> str:
        """Return the regular expression of what reports name it by."""
        return _NUMBER if self._is_numbered else self.written.form

    @property
    def text(self) -> ColumnElement[Any]:
        """Return the text, whose lines are columns. A single one may be null: there is no text."""
        columns = [self.table.c[name] for name, empty in self.written.empty.items() if empty is not None]
        lines = [func.array_to_string(c, "\n") if isinstance(c.type, ARRAY) else c for c in columns]
        return func.concat_ws("\n", *lines) if lines[1:] else lines[0]

    def is_at(self, name: str, author_id: int) -> ColumnElement[bool]:
        """Return the condition of the text of an author that a report names."""
        is_own = self.author == author_id
        if self._id is self.author:
            return is_own
        return and_(self._id == (int(name) if self._is_numbered else name), is_own)


@cache
def written_texts() -> Mapping[str, WrittenText]:
    """Return what reports can be about. Raise ValueError if two models name it by the same kind."""
    import_all("models")
    found: dict[str, WrittenText] = {}
    for model in Base.__subclasses__():
        if written := model.__written__:
            if written.kind in found:
                raise ValueError(f"{written.kind} is declared twice")
            found[written.kind] = WrittenText(model, written)
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a known form."""

    kind: str
    name: str

    def __str__(self) -> str:
        """Return it as a report names it."""
        return f"{self.kind}:{self.name}"

    @property
    def noun(self) -> Text | None:
        """Return what it is called, or None for a kind of an older or newer version."""
        return _kind(self.kind).noun

    @property
    def url(self) -> str | None:
        """Return the address of its page, or None if it has none for everybody."""
        page = _kind(self.kind).page
        return page and page.format(self.name)

    @property
    def url_of_moderators(self) -> str | None:
        """Return the address of the page that shows it to moderators, or None if it has none."""
        page = _kind(self.kind).page_of_moderators
        return page.format(self.name) if page else self.url


def _kind(name: str) -> PlaceKind:
    """Return the kind of a text that models declare, or another one."""
    if known := written_texts().get(name):
        return PlaceKind(known.written.noun, known.form, known.written.page, known.written.page_of_moderators)
    return _KINDS.get(name, _UNKNOWN)


def parse(place: str) -> Place | None:
    """Return a place, or None if it is of an unknown form."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    kind, name = match.groups()
    return Place(kind, name) if re.fullmatch(_kind(kind).form, name) else None


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
