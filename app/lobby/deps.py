"""FastAPI dependencies of routes about challenges."""

from typing import Annotated

from app.lobby.service import Lobby
from app.web.deps import part

LobbyDep = Annotated[Lobby, part("lobby")]
