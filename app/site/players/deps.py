"""FastAPI dependencies of routes about players."""

from typing import Annotated

from app.core.web.deps import part
from app.site.players.service import Players

PlayersDep = Annotated[Players, part("players")]
