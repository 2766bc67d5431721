"""FastAPI dependencies that every feature shares.

All of them are coroutines: FastAPI runs a plain function in a thread, which costs more than the work here.
"""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.core.database.session import Database
from app.core.realtime.presence import Presence
from app.core.settings import Settings
from app.core.web.addresses import site_url
from app.core.web.cards import Cards
from app.core.web.throttle import Throttle


def part(name: str) -> Any:
    """Return a dependency on a part of the application, by its name in `app.server.lifespan.State`."""

    async def get(connection: HTTPConnection) -> Any:
        return connection.state[name]

    return Depends(get)


SettingsDep = Annotated[Settings, part("settings")]
ThrottleDep = Annotated[Throttle, part("throttle")]
DatabaseDep = Annotated[Database, part("database")]
CardsDep = Annotated[Cards, part("cards")]
PresenceDep = Annotated[Presence, part("presence")]

ReceivedAt = Annotated[int, part("received_at")]
"""When the request reached the server, in milliseconds since the epoch; see `middleware.RequestLog`."""


async def _site_url(connection: HTTPConnection) -> str:
    return site_url(connection)


SiteUrl = Annotated[str, Depends(_site_url)]
"""The site's address, for links that leave the site."""
