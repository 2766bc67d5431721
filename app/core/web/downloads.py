"""Responses that browsers save as files."""

from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")


def attachment(name: str) -> dict[str, str]:
    """Return the headers that make a browser save the response under `name`, which is plain ASCII."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def begun(parts: AsyncIterator[T]) -> AsyncIterator[T]:
    """Read the first part of a download, and return all parts.

    Call it before the answer begins: an error would otherwise break off a download that has the status 200.
    """
    first = await anext(parts, None)
    return _resumed(first, parts)


async def _resumed(first: T | None, parts: AsyncIterator[T]) -> AsyncIterator[T]:
    if first is not None:
        yield first
        async for part in parts:
            yield part
