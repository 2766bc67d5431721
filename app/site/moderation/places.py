"""Places that reports are about: `game:ID`, `entry:ID`, `profile:USERNAME`, and texts with their ids.

A place is what a page or program attaches to a report. Stored ones of an unknown form, from another
version, are shown as they are. The models declare the texts that players write for others: what is reported
is quoted, and may be removed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, ColumnElement, Integer, case, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.dml import ReturningUpdate

from app.core import ids
from app.core.database.base import Base
from app.core.database.written import Written
from app.core.errors import FieldError
from app.core.events import Event
from app.core.i18n.text import Text, _
from app.core.ids import SERIAL
from app.core.importing import import_all

_PLACE = re.compile(r"(?P<kind>[a-z]+):(?P<name>[A-Za-z0-9_-]+)")
_MOST_OF_COMMENTS = 4000  # characters


class PlaceKind(NamedTuple):
    """A kind of places: what moderators read, which names it has, and the paths of its pages."""

    noun: Text | None = None
    form: str = ".*"
    page: str | None = None
    page_of_moderators: str | None = None


_KINDS = {
    "game": PlaceKind(_("Game"), ids.PATTERN, "/games/{}"),
    "entry": PlaceKind(_("Entry"), ids.PATTERN, "/nugget/entries/{}"),
    "action": PlaceKind(_("Answer to a decision"), SERIAL),
}
_UNKNOWN = PlaceKind()


class WrittenText:
    """Where a kind of texts is stored."""

    def __init__(self, model: type[Base], written: Written) -> None:
        self.written = written
        self.table = model.metadata.tables[model.__tablename__]
        self.author = self.table.c[written.author]
        self.outlives_author = model.__personal__ is not None and model.__personal__.erased is not None
        key = self.table.primary_key.columns
        self._id = next((column for column in key if column is not self.author), self.author)
        self._is_numbered = self._id is not self.author and isinstance(self._id.type, Integer)

    @property
    def form(self) -> str:
        """Return the regular expression of what reports name it by."""
        return SERIAL if self._is_numbered else self.written.form

    def text(self, author_id: int) -> ColumnElement[Any]:
        """Return an author's text, whose lines are columns. A single one may be null: there is no text."""
        columns = [self.table.c[name] for name, empty in self.written.empty.items() if empty is not None]
        lines = [
            self._if_by(author_id, c.name, func.array_to_string(c, "\n") if isinstance(c.type, ARRAY) else c)
            for c in columns
        ]
        return func.concat_ws("\n", *lines) if lines[1:] else lines[0]

    def emptied(self, author_id: int, *conditions: ColumnElement[bool]) -> ReturningUpdate[Any]:
        """Return the statement that removes texts of an author that meet conditions, and returns the rows.

        Those that were removed before are none of them.
        """
        columns = {
            name: self._if_by(author_id, name, empty, self.table.c[name])
            for name, empty in self.written.empty.items()
        }
        is_left = or_(*(self.table.c[name].is_distinct_from(value) for name, value in columns.items()))
        if "version" in self.table.c:
            columns["version"] = self.table.c.version + 1
        is_text = self.text(author_id).is_not(None)  # a line of chat has none if it is a greeting
        own = (is_text, self.is_by(author_id), is_left)
        return update(self.table).where(*own, *conditions).values(columns).returning(self.table)

    def is_at(self, name: str) -> ColumnElement[bool]:
        """Return the condition that a report names a text, whoever wrote it."""
        if self._id is self.author:
            return true()
        return self._id == (int(name) if self._is_numbered else name)

    def is_by(self, author_id: int) -> ColumnElement[bool]:
        """Return the condition that an author wrote a text, or a part of it."""
        authors = dict.fromkeys(map(self.written.authors.get, self.written.empty))
        return or_(*(self._author_in(author) == author_id for author in authors))

    def _if_by(self, author_id: int, name: str, value: Any, otherwise: Any = None) -> Any:
        """Return a value for a column that an author wrote, and another one for a column of somebody else."""
        if not self.written.authors:
            return value
        return case((self._author_in(self.written.authors.get(name)) == author_id, value), else_=otherwise)

    def _author_in(self, author: str | None) -> ColumnElement[Any]:
        """Return the author as a column has it, or, if that is null or None, the author of the row."""
        return func.coalesce(self.table.c[author], self.author) if author else self.author


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


def check_known(place: str) -> None:
    """Raise FieldError `bad_place` if a place, which may be empty, is of an unknown kind or form."""
    known = parse(place)
    if place and (known is None or known.noun is None):
        message = _("This cannot be reported. Go to the page with it, and report it from there.")
        raise FieldError("place", "bad_place", message)


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
    is_it = found.is_at(place.name) & found.is_by(author_id)
    query = select(found.text(author_id)).where(is_it, is_readable)
    text = await session.scalar(query) or ""
    return _comments_in(text) if isinstance(text, bytes) else text.strip()


def _comments_in(file: bytes) -> str:
    """Return the comments of a record file, which are its words; only the beginning of many."""
    lines = file.decode(errors="replace").replace("\0", "").splitlines()
    comments = ("".join(line.partition("#")[1:]) for line in lines if "#" in line)
    return "\n".join(comments)[:_MOST_OF_COMMENTS]


async def remove(session: AsyncSession, place: Place | None, author_id: int) -> Sequence[Event] | None:
    """Remove an author's text at a place, with its copies.

    Return the events for after the commit, None if there is no text.
    """
    found = written_texts().get(place.kind) if place else None
    if found is None or place is None:
        return None
    statement = found.emptied(author_id, found.is_at(place.name))
    removed = (await session.execute(statement)).one_or_none()
    return None if removed is None else found.written.removed(removed)


async def remove_all(session: AsyncSession, author_id: int) -> Sequence[Event]:
    """Remove the texts of an author in rows that erasing leaves; return the events for after the commit."""
    events: list[Event] = []
    for found in written_texts().values():
        if found.outlives_author:
            for removed in await session.execute(found.emptied(author_id)):
                events.extend(found.written.removed(removed))
    return events
