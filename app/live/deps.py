"""The dependency of routes that serve live connections."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.live.service import Live


async def _live(connection: HTTPConnection) -> Live:
    return connection.app.state.live  # type: ignore[no-any-return]


LiveDep = Annotated[Live, Depends(_live)]
