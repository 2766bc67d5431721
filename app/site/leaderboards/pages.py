"""Leaderboards as pages: ratings of the games for two, best scores of the solitaires, and the findings."""

from typing import Annotated, Literal

from fastapi import Query
from starlette.responses import RedirectResponse, Response

from app.core.errors import NotFoundError
from app.core.i18n.text import _
from app.core.web.charts import histogram
from app.core.web.deps import Part
from app.core.web.params import Cursor, OwnPlace
from app.core.web.render import page, wants_partial
from app.people.identity.pages import page_router
from app.people.identity.ranked import Players
from app.people.identity.viewer import Viewer
from app.play.games.boards import BOARDS
from app.play.games.export import replay_of_record
from app.play.games.presenter.board import board_of
from app.play.games.service import Games
from app.play.games.wording import SPEEDS
from app.play.ratings.leaderboard import settled
from app.play.solitaire.scores import ranking
from app.site.leaderboards import findings, presenter
from app.site.leaderboards.service import Leaderboards
from engine.registry import FOR_TWO, SOLITAIRE
from engine.search.levels import USUAL
from engine.speed import Speed

router = page_router()

PLAYERS = (("people", _("people")), ("computers", _("computers")), ("everybody", _("everybody")))
"""The choices of whom a ranking shows."""

_ROWS = 50


@router.get("/leaderboards")
async def rankings_index() -> Response:
    """Redirect to the first of the rankings, which have tabs for the others."""
    return RedirectResponse("/leaderboards/golden_nugget", 303)


@router.get("/leaderboards/{game:game}")
async def ratings_page(
    game: str,
    viewer: Viewer,
    leaderboards: Part[Leaderboards],
    speed: Speed | Literal[""] = "",
    players: Players = "people",
    cursor: Cursor = "",
    newcomers: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show the best ratings at a game, or at a speed of it, their distribution, and the viewer's place."""
    if game not in FOR_TWO:
        return RedirectResponse(f"/scores/{game}", 303)
    if at and viewer:
        cursor = await leaderboards.cursor_to(settled(game, players, speed or None), viewer.id)
    viewer_id = viewer.id if viewer else None
    board = await leaderboards.rating_board(game, speed or None, players, cursor, newcomers, _ROWS, viewer_id)
    bars = [(str(start), players) for start, players in board.bars]
    return page(
        "pages/leaderboard.html",
        rules=FOR_TWO[game],
        usual_level=USUAL,
        shown={"speed": speed, "players": players},
        speeds=(("", _("all games")), *SPEEDS.items()),
        choices=PLAYERS,
        board=board,
        rows=board.page.rows and presenter.ratings_table(board.page.rows, board.trends, viewer),
        cursor=cursor,
        newcomers=board.provisional.rows
        and presenter.ratings_table(board.provisional.rows, board.trends, viewer),
        newcomers_cursor=newcomers,
        chart=histogram(_("Players by rating"), bars, board.own_bar),
    )


@router.get("/scores/{game:game}")
async def default_scores_page(game: str) -> Response:
    """Redirect to the best scores at the game's default size."""
    if game not in SOLITAIRE:
        raise NotFoundError("leaderboard")
    return RedirectResponse(f"/scores/{game}/{SOLITAIRE[game].options['size'].default}", 303)


@router.get("/scores/{game:game}/{size:number}")
async def scores_page(
    game: str,
    size: int,
    viewer: Viewer,
    leaderboards: Part[Leaderboards],
    games: Part[Games],
    players: Players = "people",
    cursor: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show the best scores of a solitaire at a size, and the board of the best one.

    The viewer's own row is always included.
    """
    if game not in SOLITAIRE:
        raise NotFoundError("leaderboard")
    allowed = SOLITAIRE[game].options["size"]
    if not allowed.minimum <= size <= allowed.maximum:
        raise NotFoundError("leaderboard")
    best = ranking(game, size, players)
    mine = None
    if viewer:
        mine = await leaderboards.row_of(best, viewer.id)
        cursor = await leaderboards.cursor_to(best, viewer.id) if at else cursor
    scores = await leaderboards.page(best, cursor, _ROWS)
    leaders = await games.readable(row.game_id for row in scores.rows[:1] if row.rank == 1)
    return page(
        "pages/scores.html",
        rules=SOLITAIRE[game],
        size=size,
        # Tiny boards have a tab only while they are shown.
        sizes=sorted({*range(findings.SMALLEST + 1, allowed.maximum + 1), size}),
        players=players,
        choices=PLAYERS,
        rows=scores.rows,
        boards=[board_of(game) for game in leaders],
        next=scores.next,
        cursor=cursor,
        mine=mine if mine not in scores.rows else None,
    )


@router.get("/records")
async def findings_page(leaderboards: Part[Leaderboards]) -> Response:
    """Show what is known of the best scores of the solitaires."""
    known = [(rules, await leaderboards.known(game)) for game, rules in SOLITAIRE.items()]
    return page("pages/records.html", solitaires=known, proofs=findings.PROOFS)


@router.get("/records/{game:game}")
async def question_page(game: str, leaderboards: Part[Leaderboards], games: Part[Games]) -> Response:
    """Show what is known of a solitaire and of best play at a game, and the boards of the best games."""
    if game not in SOLITAIRE:
        return RedirectResponse("/records", 303)
    known = await leaderboards.known(game)
    led = [row.by.game_id for row in known if row.by and row.is_led_by_player]
    return page(
        f"pages/records_{game}.html",
        rules=SOLITAIRE[game],
        known=known,
        proofs=findings.PROOFS,
        boards=list(presenter.drawn(known, {state.id: state for state in await games.readable(led)})),
        rounds=findings.values_of_play(game),
    )


@router.get("/records/{game:game}/{players:number}/{size:number}")
async def finding_page(
    game: str, players: int, size: int, ply: Annotated[int, Query(ge=0, le=100_000)] = 100_000
) -> Response:
    """Replay the game that proves a finding."""
    finding = findings.finding(game, players, size)
    replay = replay_of_record(finding.record, ply, finding.path)
    rules = finding.record.rules
    size_text = BOARDS[rules].size_text(finding.record.options)
    return page(
        "partials/record.html" if wants_partial() else "pages/record.html",
        verdict=finding.verdict,
        found_on=finding.found_on,
        title=_("%(game)s %(board)s", game=rules.title, board=size_text),
        replay=replay,
    )
