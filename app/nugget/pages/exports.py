"""Rankings as files, which are sent in parts."""

from collections.abc import AsyncIterator
from typing import Literal

from starlette.responses import StreamingResponse

from app.core import json
from app.core.web.downloads import attachment
from app.nugget import standings
from app.nugget.standings import RankedEntry

Form = Literal["csv", "json"]
"""The forms of a ranking as a file."""

_TYPES: dict[Form, str] = {"csv": "text/csv", "json": "application/json"}


def ranking_file(parts: AsyncIterator[tuple[RankedEntry, ...]], name: str, form: Form) -> StreamingResponse:
    """Return the parts of a ranking as a file, whose name gets the ending of its form."""
    content = _sheet(parts) if form == "csv" else _array(parts)
    return StreamingResponse(content, media_type=_TYPES[form], headers=attachment(f"{name}.{form}"))


async def _sheet(parts: AsyncIterator[tuple[RankedEntry, ...]]) -> AsyncIterator[str]:
    yield standings.CSV_HEADER
    async for rows in parts:
        yield standings.as_csv(rows)


async def _array(parts: AsyncIterator[tuple[RankedEntry, ...]]) -> AsyncIterator[bytes]:
    separator = b"["
    async for rows in parts:
        if rows:
            yield separator + b",".join(json.encode(row.as_dict()) for row in rows)
            separator = b","
    yield b"]" if separator == b"," else b"[]"
