"""What routes ask for: the parts that `app.main` wired together, taken from the application's state.

All are coroutines, since FastAPI sends a plain function to a thread.
"""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.database.session import Database
from app.realtime.bus import Bus
from app.realtime.hub import Hub
from app.realtime.presence import Presence
from app.settings import Settings
from app.web.throttle import Throttle


async def _settings(connection: HTTPConnection) -> Settings:
    return connection.app.state.settings  # type: ignore[no-any-return]


async def _site_url(connection: HTTPConnection) -> str:
    """Give the site's address as players type it, for links that leave the site: https://play.example."""
    public_url: str | None = connection.app.state.settings.public_url
    if public_url is not None:
        return public_url.rstrip("/")
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


async def _received_at(connection: HTTPConnection) -> int:
    """Give the moment at which the request reached the server, before anything was done about it."""
    return connection.state.received_at  # type: ignore[no-any-return]


async def _presence(connection: HTTPConnection) -> Presence:
    return connection.app.state.presence  # type: ignore[no-any-return]


async def _database(connection: HTTPConnection) -> Database:
    return connection.app.state.database  # type: ignore[no-any-return]


async def _hub(connection: HTTPConnection) -> Hub:
    return connection.app.state.hub  # type: ignore[no-any-return]


async def _bus(connection: HTTPConnection) -> Bus:
    return connection.app.state.bus  # type: ignore[no-any-return]


async def _throttle(connection: HTTPConnection) -> Throttle:
    return connection.app.state.throttle  # type: ignore[no-any-return]


SettingsDep = Annotated[Settings, Depends(_settings)]
SiteUrl = Annotated[str, Depends(_site_url)]
ReceivedAt = Annotated[int, Depends(_received_at)]
PresenceDep = Annotated[Presence, Depends(_presence)]
DatabaseDep = Annotated[Database, Depends(_database)]
HubDep = Annotated[Hub, Depends(_hub)]
BusDep = Annotated[Bus, Depends(_bus)]
ThrottleDep = Annotated[Throttle, Depends(_throttle)]
