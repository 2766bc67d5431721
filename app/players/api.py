"""Players and their games, for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.database.session import Database
from app.errors import NotFoundError
from app.games.deps import GamesDep
from app.games.queries import played_by
from app.identity.models import Account
from app.identity.service import find
from app.identity.viewer import PlayingProgram
from app.players import service
from app.ratings.schemas import OwnRating
from app.scores import queries as scores
from app.web.deps import DatabaseDep, PresenceDep
from app.web.problems import problems

router = APIRouter(tags=["players"])

_SCORE: dict[str, Any] = {
    "game": "up_and_up",
    "size": 8,
    "rank": 3,
    "points": 61,
    "tie_break": 12,
    "game_id": "x3p8mk2rtz",
}
_PLAYER: dict[str, Any] = {
    "username": "wren",
    "is_guest": False,
    "is_computer": False,
    "is_closed": False,
    "online": True,
    "ratings": {"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}},
    "results": {"won": 30, "drawn": 0, "lost": 18},
    "scores": [_SCORE],
}
_GAME: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "jadejack",
    "options": {"size": 9},
    "status": "finished",
    "opponent": "finch",
    "side": "black",
    "winner": "black",
    "rated": True,
    "rating_change": 11,
    "ply": 64,
}


class Results(BaseModel):
    """Finished games by how they ended for a player."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PLAYER["results"]]})

    won: int
    drawn: int
    lost: int


class OwnScore(BaseModel):
    """A player's best game of a solitaire on a board."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SCORE]})

    game: str
    size: int
    rank: int
    points: int
    tie_break: int
    game_id: str


class Player(BaseModel):
    """A player as everybody sees them."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PLAYER]})

    username: str
    is_guest: bool
    is_computer: bool
    is_closed: bool
    online: bool
    ratings: dict[str, OwnRating]
    results: Results
    scores: list[OwnScore]


class PlayersGame(BaseModel):
    """One game of a player."""

    model_config = ConfigDict(json_schema_extra={"examples": [_GAME]})

    id: str
    game: str
    options: dict[str, int]
    status: str
    opponent: str | None
    side: str
    winner: str | None
    rated: bool
    rating_change: int | None
    ply: int


@router.get("/players/{username}", responses=problems(404))
async def player(username: str, database: DatabaseDep, presence: PresenceDep) -> Player:
    """Give a player's ratings, results and best scores."""
    account = await _find(database, username)
    async with database.transaction() as session:
        ratings = await service.game_ratings(session, account.id)
        results = await service.tally(session, account.id)
        best = await scores.of_account(session, account.id)
    return Player(
        username=account.username,
        is_guest=account.is_guest,
        is_computer=account.is_computer,
        is_closed=account.closed_at is not None,
        online=account.id in await presence.online([account.id]),
        ratings={one.game: OwnRating.of(one.rating, one.rated_games) for one in ratings},
        results=Results(won=results.won, drawn=results.drawn, lost=results.lost),
        scores=[
            OwnScore(
                game=game,
                size=size,
                rank=row.rank,
                points=row.points,
                tie_break=row.tie_break,
                game_id=row.game_id,
            )
            for game, size, row in best
        ],
    )


@router.get("/players/{username}/games", responses=problems(404))
async def games_of_player(
    username: str,
    database: DatabaseDep,
    games: GamesDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 30,
    number: Annotated[int, Query(ge=1, le=1000)] = 1,
) -> list[PlayersGame]:
    """List a player's games, those under way first, then the latest; `number` counts the pages."""
    account = await _find(database, username)
    found = await games.summaries(account.id, played_by(account.id), limit=limit, offset=limit * (number - 1))
    return [
        PlayersGame(
            id=game.id,
            game=game.game,
            options=dict(game.options),
            status=game.status,
            opponent=game.opponent,
            side=game.side,
            winner=game.winner,
            rated=game.rated,
            rating_change=None if game.change is None else round(game.change),
            ply=game.ply,
        )
        for game in found
    ]


async def _find(database: Database, username: str) -> Account:
    async with database.transaction() as session:
        account = await find(session, username)
    if account is None:
        raise NotFoundError("player")
    return account


@router.post("/me/computer", status_code=204, responses=problems(401, 403, 409))
async def declare_computer(program: PlayingProgram, database: DatabaseDep) -> Response:
    """Say that a program plays with the token's account: it is marked as a computer everywhere, for good."""
    async with database.transaction() as session:
        await service.declare_computer(session, program)
    return Response(status_code=204)
