"""Writing the files of a dump in parts, each of which is a frame of zstd by itself."""

import csv
import hashlib
import io
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import zstandard
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.unreadable import UnreadableError, read
from app.site.dumps.sheets import SHEETS, Sheet

LICENCE = "CC0-1.0"
MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"

VERSION = 1
"""The version of the format, which changes if what was written before can no longer be read."""

ROWS = 500
"""The most rows that are read for a part."""

_LEVEL = 10  # of zstd


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """Some rows of a sheet as parts of its files, by their names.

    `last` is the key of the last row that was read, None if there are no more rows.
    """

    files: Mapping[str, bytes]
    rows: int
    last: str | int | None


class File:
    """What the manifest tells of a file, gathered from its parts."""

    def __init__(self, name: str) -> None:
        self._name, self._bytes, self._hash = name, 0, hashlib.sha256()

    def add(self, data: bytes) -> None:
        """Add a part."""
        self._bytes += len(data)
        self._hash.update(data)

    def as_json(self) -> dict[str, Any]:
        """Return its name, its size in bytes and its SHA-256 as 64 hexadecimal digits."""
        return {"name": self._name, "bytes": self._bytes, "sha256": self._hash.hexdigest()}


async def part(session: AsyncSession, sheet: Sheet, at: datetime, after: str | int | None) -> WrittenPart:
    """Return the part of a sheet after the row with a key, without the rows that cannot be read.

    `at` is the moment of the dump.
    """
    query = sheet.query.order_by(sheet.key).limit(ROWS)
    query = query if after is None else query.where(sheet.key > after)
    found = (await session.execute(query, {"at": at})).all()
    rows = list(_shown(sheet, found))
    lines = b"".join(json.encode(row) + b"\n" for row in rows)
    texts = (lines, _csv(sheet, rows, has_header=after is None))
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    files = {name: compressor.compress(text) for name, text in zip(sheet.files, texts, strict=True)}
    return WrittenPart(files, len(rows), getattr(found[-1], sheet.key.key) if len(found) == ROWS else None)


async def parts(session: AsyncSession, sheet: Sheet, at: datetime) -> AsyncIterator[WrittenPart]:
    """Yield the parts of a sheet in a dump of a moment."""
    found = await part(session, sheet, at, None)
    yield found
    while found.last is not None:
        found = await part(session, sheet, at, found.last)
        yield found


def text_of(frames: bytes) -> bytes:
    """Return what was compressed into frames of zstd, one after the other. Raise ZstdError."""
    reader = zstandard.ZstdDecompressor().stream_reader(frames, read_across_frames=True)
    return reader.read()


def manifest(made_at: datetime, files: Mapping[str, File], rows: Mapping[str, int]) -> dict[str, Any]:
    """Return the manifest of a dump: licence, schemas, and the files with their checksums."""
    return {
        "version": VERSION,
        "licence": LICENCE,
        "made_at": made_at.astimezone(UTC).isoformat(timespec="seconds"),
        "sheets": [
            {
                "name": sheet.name,
                "rows": rows[sheet.name],
                "files": [files[name].as_json() for name in sheet.files],
                "schema": sheet.schema.model_json_schema(),
            }
            for sheet in SHEETS
        ],
    }


def checksums(told: Mapping[str, Any]) -> str:
    """Return the checksums of a manifest's files for `sha256sum --check`."""
    files = (file for sheet in told["sheets"] for file in sheet["files"])
    return "".join(f"{file['sha256']}  {file['name']}\n" for file in files)


def _shown(sheet: Sheet, found: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for row in found:
        members = row._asdict()
        with suppress(UnreadableError):
            yield read(sheet.key.class_.__tablename__, members[sheet.key.key], sheet.shown, members)


def _csv(sheet: Sheet, rows: list[Mapping[str, Any]], *, has_header: bool) -> bytes:
    """Return rows as CSV; lists and objects are JSON."""
    text = io.StringIO()
    writer = csv.writer(text)
    if has_header:
        writer.writerow(sheet.members)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in sheet.members])
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    return json.encode(value).decode()
