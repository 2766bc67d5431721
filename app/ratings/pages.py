"""The leaderboards of the games for two, as pages."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.accounts.viewer import Viewer
from app.errors import NotFoundError
from app.ratings import leaderboard, service
from app.web.charts import histogram
from app.web.deps import DatabaseDep
from app.web.render import page
from engine.registry import GAMES

router = APIRouter(include_in_schema=False)

_ROWS, _PROVISIONAL = 50, 20


@router.get("/leaderboards/{game}")
async def leaderboard_page(
    request: Request,
    game: str,
    viewer: Viewer,
    database: DatabaseDep,
    cursor: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Show who is rated best at a game, how ratings are distributed, and where the viewer stands."""
    if game not in GAMES or len(GAMES[game].sides) != 2:
        raise NotFoundError("leaderboard")
    async with database.transaction() as session:
        rows, following = await leaderboard.page(session, game, cursor, _ROWS)
        newcomers = await leaderboard.provisional(session, game, _PROVISIONAL)
        bars = await leaderboard.distribution(session, game)
        mine = (await service.of_account(session, viewer.id)).get(game) if viewer else None
        place = await leaderboard.place(session, game, mine[0]) if mine else None
    own = int((mine[0].rating - bars[0][0]) // leaderboard.BIN) if mine and place and bars else None
    return page(
        request,
        "pages/leaderboard.html",
        rules=GAMES[game],
        rows=rows,
        next=following,
        cursor=cursor,
        newcomers=newcomers,
        bars=bars,
        chart=histogram("Players by rating", [(str(start), count) for start, count in bars], own)
        if bars
        else None,
        mine=mine,
        place=place,
    )
