"""Keeping games for programs."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel

from app.core.web.deps import Part
from app.core.web.params import PageNumber
from app.core.web.problems import problems
from app.core.web.registered import GameKey, Options, SideName
from app.core.web.routes import Router
from app.core.web.shown import GameId, Position, Unchecked, Username
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.kept_games.service import Kept, KeptGames


class KeptGame(BaseModel):
    """A game that the token's account has kept, as it is now, with the names of its players by side."""

    game_id: GameId
    kept_at: datetime
    game: GameKey
    options: Options
    status: Unchecked[Literal["started", "finished", "aborted"]]
    players: dict[SideName, Username]
    winner: SideName | None
    ply: int
    position: Position

    @classmethod
    def of(cls, kept: Kept) -> "KeptGame":
        """Return a kept game as the API shows it."""
        state = kept.game
        return cls.model_construct(
            game_id=state.id,
            kept_at=kept.at,
            game=state.game,
            options=dict(state.options),
            status=state.status,
            players={side: state.player_at(side).username for side in state.rules.sides},
            winner=state.result.winner if state.result else None,
            ply=state.ply,
            position=state.position_text,
        )


class KeptGameList(BaseModel):
    """A page of kept games, those kept last first; `has_more` says whether there is a next one."""

    games: list[KeptGame]
    has_more: bool


router = Router(prefix="/api/v1", tags=["games"])

_CHANGE: dict[str, Any] = {"status_code": 204, "responses": problems(409)}


@router.put("/games/{game_id:id}/kept", **_CHANGE)
async def keep(game_id: str, program: SteppingProgram, kept_games: Part[KeptGames]) -> None:
    """Keep a game, to find it again; at most 200. Nobody else learns of it."""
    await kept_games.keep(program, game_id)


@router.delete("/games/{game_id:id}/kept", status_code=204)
async def remove(game_id: str, program: SteppingProgram, kept_games: Part[KeptGames]) -> None:
    """Keep a game no longer."""
    await kept_games.remove(program, game_id)


@router.get("/me/kept-games")
async def kept(
    program: KnownProgram,
    kept_games: Part[KeptGames],
    limit: Annotated[int, Query(ge=1, le=50)] = 12,
    number: PageNumber = 1,
) -> KeptGameList:
    """Return a page of the games that the token's account has kept; `number` is the page's."""
    games, has_more = await kept_games.page(program, number=number, limit=limit)
    return KeptGameList(games=[KeptGame.of(each) for each in games], has_more=has_more)
