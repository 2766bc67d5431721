"""FastAPI dependencies of routes about games."""

from typing import Annotated

from app.games.follow import GameFeed
from app.games.service import Games
from app.web.deps import part

GamesDep = Annotated[Games, part("games")]
FeedDep = Annotated[GameFeed, part("feed")]
