"""Leaderboards as pages: ratings of the games for two, best scores of the solitaires, and the findings."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from app.errors import NotFoundError
from app.games.boards import BOARDS
from app.games.export import replay_of_record
from app.identity.viewer import Viewer
from app.leaderboards import findings
from app.ratings import leaderboard, service
from app.scores import queries as scores
from app.web.charts import histogram
from app.web.deps import DatabaseDep
from app.web.params import Cursor
from app.web.render import page, wants_partial
from engine.registry import FOR_TWO, SOLITAIRE

router = APIRouter(include_in_schema=False)

_ROWS, _PROVISIONAL = 50, 20


@router.get("/leaderboards/{game:game}")
async def ratings_page(
    request: Request, game: str, viewer: Viewer, database: DatabaseDep, cursor: Cursor = ""
) -> Response:
    """Show who is rated best at a game, how ratings are distributed, and where the viewer stands."""
    if game not in FOR_TWO:
        return RedirectResponse(f"/scores/{game}", 303)
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
        rules=FOR_TWO[game],
        has_scores=game in SOLITAIRE,
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


@router.get("/scores/{game:game}")
async def usual_scores(game: str) -> Response:
    """Go to the best scores on the usual board."""
    if game not in SOLITAIRE:
        raise NotFoundError("leaderboard")
    return RedirectResponse(f"/scores/{game}/{SOLITAIRE[game].options['size'].default}", 303)


@router.get("/scores/{game:game}/{size:number}")
async def scores_page(
    request: Request, game: str, size: int, viewer: Viewer, database: DatabaseDep, cursor: Cursor = ""
) -> Response:
    """Show the best scores of a solitaire on a board, the viewer's own row always in sight."""
    sizes = _sizes(game)
    if size not in sizes:
        raise NotFoundError("leaderboard")
    async with database.transaction() as session:
        found = await scores.page(session, game, size, cursor, _ROWS)
        mine = await scores.row_of(session, game, size, viewer.id) if viewer else None
    return page(
        request,
        "pages/scores.html",
        rules=SOLITAIRE[game],
        size=size,
        sizes=sizes,
        rows=found.rows,
        next=found.next,
        cursor=cursor,
        mine=mine if mine not in found.rows else None,
        has_ratings=game in FOR_TWO,
    )


@router.get("/records")
async def records_page(request: Request, database: DatabaseDep) -> Response:
    """Show what is known of the questions that the number games ask."""
    async with database.transaction() as session:
        known = [(rules, await findings.known(session, game)) for game, rules in SOLITAIRE.items()]
    return page(
        request,
        "pages/records.html",
        solitaires=known,
        for_two=[
            (rules, found) for game, rules in FOR_TWO.items() if (found := findings.values_of_play(game))
        ],
    )


@router.get("/records/{game:game}/{players:number}/{size:number}")
async def record_page(
    request: Request,
    game: str,
    players: int,
    size: int,
    ply: Annotated[int, Query(ge=0, le=100_000)] = 100_000,
) -> Response:
    """Replay the game that proves a figure."""
    found = findings.finding(game, players, size)
    replay = replay_of_record(found.record, ply, f"/records/{game}/{players}/{size}")
    context: dict[str, Any] = {"replay": replay}
    if wants_partial(request):
        return page(request, "partials/replay.html", **context)
    rules = found.record.rules
    title = f"{rules.title} {BOARDS[rules].size_text(found.record.options)}"
    return page(request, "pages/record.html", found=found, title=title, **context)


def _sizes(game: str) -> range:
    """Give the sizes that there are leaderboards for. Raises NotFoundError."""
    if game not in SOLITAIRE:
        raise NotFoundError("leaderboard")
    allowed = SOLITAIRE[game].options["size"]
    return range(max(allowed.minimum, findings.SMALLEST + 1), allowed.maximum + 1)
