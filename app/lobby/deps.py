"""What routes about challenges ask for."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.lobby.lobby import Lobby


async def _lobby(connection: HTTPConnection) -> Lobby:
    return connection.app.state.lobby  # type: ignore[no-any-return]


LobbyDep = Annotated[Lobby, Depends(_lobby)]
