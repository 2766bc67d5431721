"""Dumps for programs."""

import contextlib
from datetime import date
from typing import Any

from starlette.responses import StreamingResponse

from app.core.database.unreadable import readable
from app.core.errors import NotFoundError
from app.core.web.deps import Part
from app.core.web.downloads import attachment, begun
from app.core.web.paths import register_choice
from app.core.web.routes import Router
from app.site.dumps.models import Dump
from app.site.dumps.schemas import DumpedFile, DumpedSheet, NightlyDump, NightlyDumps
from app.site.dumps.service import FILES, Dumps
from app.site.dumps.writing import CHECKSUMS, MANIFEST

register_choice("dump_file", FILES)


def _shown(dump: Dump) -> NightlyDump:
    """Return a complete dump with the addresses of its files."""
    assert dump.manifest is not None
    folder = f"/api/v1/dumps/{dump.day}/"
    return NightlyDump(
        day=dump.day,
        licence=dump.manifest["licence"],
        manifest=folder + MANIFEST,
        checksums=folder + CHECKSUMS,
        sheets=[
            DumpedSheet(
                name=sheet["name"],
                rows=sheet["rows"],
                files=[DumpedFile(**file, url=folder + file["name"]) for file in sheet["files"]],
            )
            for sheet in dump.manifest["sheets"]
        ],
    )


async def listed(dumps: Dumps) -> list[NightlyDump]:
    """Return the complete dumps, the latest first."""
    return readable(_shown, await dumps.done())


router = Router(prefix="/api/v1", tags=["dumps"])

_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    },
}


@router.get("/dumps")
async def dumps(dumps: Part[Dumps]) -> NightlyDumps:
    """List the dumps of the last nights, with what is public on the server, and their files."""
    return NightlyDumps(dumps=await listed(dumps))


@router.get("/dumps/{day:slug}/{file:dump_file}", response_class=StreamingResponse, responses=_FILE)
async def dump_file(day: str, file: str, dumps: Part[Dumps]) -> StreamingResponse:
    """Return a file of a dump. The dumps of the last two days are kept."""
    with contextlib.suppress(ValueError):
        size, content = await dumps.file(date.fromisoformat(day), file)
        headers = {"Content-Length": str(size), **attachment(file)}
        return StreamingResponse(await begun(content), headers=headers, media_type="application/octet-stream")
    raise NotFoundError("dump")
