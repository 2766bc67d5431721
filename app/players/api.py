"""Players and their games for programs."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.players.deps import PlayersDep
from app.players.schemas import Player, PlayersGame
from app.web.problems import problems

router = APIRouter(tags=["players"])


@router.get("/players/{username}", responses=problems(404))
async def player(username: str, players: PlayersDep) -> Player:
    """Return a player's ratings, results and best scores."""
    return Player.of(await players.profile(username, None))


@router.get("/players/{username}/games", responses=problems(404))
async def games_of_player(
    username: str,
    players: PlayersDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 30,
    number: Annotated[int, Query(ge=1, le=1000)] = 1,
) -> list[PlayersGame]:
    """Return a page of a player's games, those under way first, then the latest; `number` is the page's."""
    games = await players.games(username, number=number, limit=limit)
    return [PlayersGame.of(game) for game in games.games]
