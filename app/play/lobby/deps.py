"""FastAPI dependencies of routes about challenges."""

from typing import Annotated

from app.core.web.deps import part
from app.play.lobby.service import Lobby

LobbyDep = Annotated[Lobby, part("lobby")]
