"""What routes about games ask for."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.games.follow import GameFeed
from app.games.service import Games


async def _games(connection: HTTPConnection) -> Games:
    return connection.app.state.games  # type: ignore[no-any-return]


GamesDep = Annotated[Games, Depends(_games)]


async def _feed(connection: HTTPConnection) -> GameFeed:
    return connection.app.state.feed  # type: ignore[no-any-return]


FeedDep = Annotated[GameFeed, Depends(_feed)]
