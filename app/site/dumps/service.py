"""The nightly dumps in the database, and a dump as files in a folder."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.core import json
from app.core.database.session import Database
from app.core.errors import NotFoundError
from app.core.jobs.queue import Priority, Queue, Task
from app.site.dumps import writing
from app.site.dumps.models import Dump, DumpPart
from app.site.dumps.sheets import SHEETS
from app.site.dumps.writing import CHECKSUMS, MANIFEST, File

WRITE = Task("write_dump")
"""The kind of the job that writes a part of a dump."""

FILES = (MANIFEST, CHECKSUMS, *(name for sheet in SHEETS for name in sheet.files))
"""The names of the files of a dump."""

_KEPT = 2  # dumps
_SHEETS = {sheet.name: sheet for sheet in SHEETS}


@dataclass(frozen=True, slots=True)
class Next:
    """What is to be written next of the dump of a day: a part of a sheet, after the row with a key."""

    day: date
    sheet: str = SHEETS[0].name
    number: int = 0
    after: str | int | None = None

    def as_job(self) -> tuple[str, dict[str, Any]]:
        """Return the key and the payload of the job."""
        payload = {"day": str(self.day), "sheet": self.sheet, "number": self.number, "after": self.after}
        return f"{WRITE}:{self.day}:{self.sheet}:{self.number}", payload


class Dumps:
    """The dumps of the last nights."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def done(self) -> Sequence[Dump]:
        """Return the dumps that are complete, the latest first."""
        dumps = select(Dump).where(Dump.manifest.is_not(None)).order_by(Dump.day.desc())
        async with self._database.reading() as session:
            return list(await session.scalars(dumps))

    async def file(self, day: date, name: str) -> tuple[int, AsyncIterator[bytes]]:
        """Return the size of a file of a complete dump in bytes, and its content. Raise NotFoundError."""
        of_file = (DumpPart.day == day, DumpPart.file == name)
        size = select(func.sum(func.length(DumpPart.data)))
        size = size.join(Dump, Dump.day == DumpPart.day).where(Dump.manifest.is_not(None), *of_file)
        async with self._database.reading() as session:
            length = await session.scalar(size)
        if length is None:
            raise NotFoundError("dump")
        return length, self._content(day, name)

    async def _content(self, day: date, name: str) -> AsyncIterator[bytes]:
        for number in count():
            is_part = DumpPart.day == day, DumpPart.file == name, DumpPart.number == number
            async with self._database.reading_now() as session:
                data = await session.scalar(select(DumpPart.data).where(*is_part))
            if data is None:
                return
            yield data

    async def begin(self, queue: Queue) -> None:
        """Ask for the dump of today, unless it was begun already."""
        today = datetime.now(UTC).date()
        async with self._database.transaction() as session:
            begun = await session.scalar(
                insert(Dump).values(day=today).on_conflict_do_nothing().returning(Dump.day)
            )
            if begun is not None:
                key, payload = Next(today).as_job()
                await queue.add_within(session, WRITE, {key: payload}, priority=Priority.LATER)

    async def ask(self, queue: Queue, following: Next) -> None:
        """Ask a worker to write a part."""
        key, payload = following.as_job()
        await queue.add(WRITE, {key: payload}, priority=Priority.LATER)

    async def write(self, asked: Next) -> Next | None:
        """Write a part of a dump, and return what follows; None if the dump is complete, or was deleted."""
        sheet = _SHEETS[asked.sheet]
        async with self._database.transaction() as session:
            dump = await session.get(Dump, asked.day, with_for_update={"key_share": True})
            if dump is None or dump.manifest is not None:  # a job may be done again
                return None
            part = await writing.part(session, sheet, dump.begun_at, asked.after)
            await session.execute(
                delete(DumpPart).where(
                    DumpPart.day == asked.day,
                    DumpPart.file.in_(sheet.files),
                    DumpPart.number == asked.number,
                )
            )
            session.add_all(
                DumpPart(day=asked.day, file=name, number=asked.number, data=data)
                for name, data in part.files.items()
            )
        if part.last is not None:
            return Next(asked.day, asked.sheet, asked.number + 1, part.last)
        if sheet is not SHEETS[-1]:
            return Next(asked.day, SHEETS[SHEETS.index(sheet) + 1].name)
        await self._complete(asked.day)
        return None

    async def _complete(self, day: date) -> None:
        """Write the manifest of a dump whose other files are written, and delete those that are not kept.

        The latest complete dumps are kept, and those that are written now.
        """
        files = {name: File(name) for sheet in SHEETS for name in sheet.files}
        rows = dict.fromkeys((sheet.name for sheet in SHEETS), 0)
        for sheet in SHEETS:
            for name in sheet.files:
                async for data in self._content(day, name):
                    files[name].add(data)
                    if name == sheet.files[0]:  # of JSON lines
                        rows[sheet.name] += writing.text_of(data).count(b"\n")
        told = writing.manifest(datetime.now(UTC), files, rows)
        is_complete = Dump.manifest.is_not(None)
        kept = select(Dump.day).where(is_complete).order_by(Dump.day.desc()).limit(_KEPT)
        is_past = or_(is_complete, Dump.day < day)
        async with self._database.transaction() as session:
            for name, text in _texts(told).items():
                session.add(DumpPart(day=day, file=name, number=0, data=text))
            await session.execute(update(Dump).where(Dump.day == day).values(manifest=told))
            await session.execute(delete(Dump).where(is_past, Dump.day.not_in(kept)))


async def dump_to(database: Database, folder: Path) -> dict[str, Any]:
    """Write a dump into an empty folder, and return its manifest. Raise OSError."""
    rows = dict.fromkeys((sheet.name for sheet in SHEETS), 0)
    files = {name: File(name) for sheet in SHEETS for name in sheet.files}
    async with database.reading_now() as session:
        made_at: datetime = (await session.scalars(select(func.now()))).one()
    for sheet in SHEETS:
        async with database.reading_now() as session:
            async for part in writing.parts(session, sheet, made_at):
                rows[sheet.name] += part.rows
                for name, data in part.files.items():
                    files[name].add(data)
                    with (folder / name).open("ab") as file:
                        file.write(data)
    told = writing.manifest(made_at, files, rows)
    for name, text in _texts(told).items():
        (folder / name).write_bytes(text)
    return told


def _texts(told: dict[str, Any]) -> dict[str, bytes]:
    """Return the files that describe a dump, by their names."""
    return {MANIFEST: json.encode(told) + b"\n", CHECKSUMS: writing.checksums(told).encode()}
