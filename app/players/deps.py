"""FastAPI dependencies of routes about players."""

from typing import Annotated

from app.players.service import Players
from app.web.deps import part

PlayersDep = Annotated[Players, part("players")]
