"""FastAPI dependencies that every feature shares.

All of them are coroutines: FastAPI runs a plain function in a thread, which costs more than the work here.
"""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.core.parts import parts_of
from app.core.web.addresses import site_url

T = TypeVar("T")

PARTS_OF_ROUTES: set[type] = set()
"""What routes ask for. The server makes them all when it starts, so that it starts only if it can."""


@cache
def part_getter(kind: type) -> Callable[[HTTPConnection], Awaitable[Any]]:
    """Return the dependency on a part: the same one for all routes, so that FastAPI asks it once."""
    PARTS_OF_ROUTES.add(kind)

    async def get(connection: HTTPConnection) -> Any:
        return parts_of(connection).get(kind)

    return get


def part_of(annotation: Any) -> Any:
    """Return the type of the part that an annotation asks for, None if it is another one."""
    kind = getattr(annotation, "__origin__", None)
    asked = [getattr(each, "dependency", None) for each in getattr(annotation, "__metadata__", ())]
    return kind if kind in PARTS_OF_ROUTES and part_getter(kind) in asked else None


if TYPE_CHECKING:
    Part = Annotated[T, Depends()]
else:

    class Part:
        """The annotation of what a route asks for: `games: Part[Games]` is the part of that type."""

        def __class_getitem__(cls, kind: type) -> Any:
            return Annotated[kind, Depends(part_getter(kind))]


async def _received_at(connection: HTTPConnection) -> int:
    moment: int = connection.scope["state"]["received_at"]
    return moment


ReceivedAt = Annotated[int, Depends(_received_at)]
"""When the request reached the server, in milliseconds since the epoch; see `middleware.RequestLog`."""


async def _site_url(connection: HTTPConnection) -> str:
    return site_url(connection)


SiteUrl = Annotated[str, Depends(_site_url)]
"""The site's address, for links that leave the site."""
