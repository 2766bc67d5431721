"""Puzzles as pages. They work without scripts: each move is a form, which carries the moves before it."""

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import Form, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.errors import ThrottledError
from app.core.web.cards import own_picture
from app.core.web.deps import Part
from app.core.web.params import BeforeMoment
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx
from app.learn.puzzles.presenter import (
    HISTORY,
    STREAK,
    Judged,
    history_rows,
    picture_of_puzzle,
    puzzle_path,
    puzzle_view,
    puzzles_of_today,
    themes_of,
)
from app.learn.puzzles.queries import PuzzleInfo
from app.learn.puzzles.refuting import Refutations
from app.learn.puzzles.schemas import ThemeWanted, TriedDep
from app.learn.puzzles.service import Puzzles
from app.learn.puzzles.trying import ONE_MORE_TRY, PuzzleAnswer, begin, check
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import TRYING, Reviewing, asker_of
from app.people.identity.viewer import PersonDep, SignInDep, Viewer
from app.play.games.service import Games
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme

router = page_router()

Series = Annotated[Literal["", "streak"] | Theme, Query()]
"""The series that a puzzle belongs to for its player: those of a theme, a streak, or none."""


@router.get("/puzzles")
async def puzzles_page(viewer: Viewer, puzzles: Part[Puzzles]) -> Response:
    """Show the puzzles of the day, and the viewer's ratings."""
    games = [await puzzles_of_today(puzzles, viewer, game) for game in RULES]
    return page("pages/puzzles.html", games=games)


@router.get("/puzzles/{game:puzzle_game}")
async def game_page(
    game: str,
    viewer: Viewer,
    puzzles: Part[Puzzles],
    before: BeforeMoment = None,
) -> Response:
    """Show a game's puzzle of the day, the themes of its puzzles, and the viewer's attempts."""
    daily = await puzzles_of_today(puzzles, viewer, game)
    past = await puzzles.history(viewer, game, before, HISTORY)
    return page(
        "pages/puzzles_of_game.html",
        daily=daily,
        themes=themes_of(game),
        history=history_rows(past),
        older=past.next and urlencode({"before": past.next}),
    )


@router.get("/puzzles/{game:puzzle_game}/daily")
async def daily(game: str, puzzles: Part[Puzzles]) -> Response:
    """Go to the puzzle of the day."""
    return RedirectResponse(puzzle_path((await puzzles.daily(game)).id, ""), 303)


@router.get("/puzzles/{game:puzzle_game}/daily/board.svg")
async def daily_picture(game: str, puzzles: Part[Puzzles]) -> Response:
    """Return an image of the puzzle of the day."""
    return own_picture(picture_of_puzzle((await puzzles.daily(game)).puzzle))


@router.get("/puzzles/{game:puzzle_game}/next")
async def next_puzzle(game: str, viewer: Viewer, puzzles: Part[Puzzles], theme: ThemeWanted = "") -> Response:
    """Go to a puzzle that the viewer never tried."""
    info = await puzzles.next(viewer, game, theme or None)
    return RedirectResponse(puzzle_path(info.id, theme), 303)


@router.get("/puzzles/{game:puzzle_game}/streak")
async def next_of_streak(game: str, viewer: Viewer, puzzles: Part[Puzzles]) -> Response:
    """Go to a puzzle that is harder the more the viewer has solved in a row."""
    info = await puzzles.next_of_streak(viewer, game)
    return RedirectResponse(puzzle_path(info.id, STREAK), 303)


@router.get("/puzzles/{puzzle_id:id}")
async def puzzle_page(
    puzzle_id: str, viewer: Viewer, person: PersonDep, puzzles: Part[Puzzles], series: Series = ""
) -> Response:
    """Show a puzzle."""
    info = await puzzles.turn_to(viewer, puzzle_id, person)
    answer = await _reminding(puzzles, viewer, info, begin(info.puzzle))
    return page("pages/puzzle.html", puzzle=puzzle_view(info, series, answer))


@router.post("/puzzles/{puzzle_id:id}", dependencies=[TRYING])
async def try_move(
    request: Request,
    puzzle_id: str,
    tried: TriedDep,
    viewer: Viewer,
    person: PersonDep,
    sign_in: SignInDep,
    puzzles: Part[Puzzles],
    refutations: Part[Refutations],
    series: Series = "",
) -> Response:
    """Answer a move. An anonymous visitor who has tried all moves becomes a guest, to keep the record."""
    info = await puzzles.for_attempt(puzzle_id, person)
    answer = check(info.puzzle, tried)
    if tried.command == "again":
        answer = await _reminding(puzzles, viewer, info, answer)
    judged, made = Judged(), answer.attempt
    if made.is_solved is not None:
        refutation = await refutations.of(asker_of(request, viewer.id if viewer else None), info.puzzle, made)
        judged = Judged(refutation=refutation)
        with suppress(ThrottledError):  # without a record, then
            player = await sign_in.viewer_or_guest(viewer)
            person = replace(person, account_id=player.id)
            if not made.is_solved and made.line and await puzzles.forgive(player, info, person):
                judged = replace(judged, is_slip=True)
            else:
                recorded = await puzzles.record(player, info, made, person)
                progress = await puzzles.progress(player, info.puzzle.game)
                judged = replace(judged, recorded=recorded, progress=progress)
    shown = puzzle_view(info, series, answer, judged)
    if wants_htmx():
        return sign_in.finish(HTMLResponse(fragment("partials/puzzle.html", puzzle=shown)))
    return sign_in.finish(page("pages/puzzle.html", puzzle=shown))


async def _reminding(
    puzzles: Puzzles, viewer: Identity | None, info: PuzzleInfo, answer: PuzzleAnswer
) -> PuzzleAnswer:
    """Return an answer that says that one try is left, if a slip of the viewer has left one."""
    has_slipped = await puzzles.has_slipped(viewer, info.id)
    return replace(answer, refusal=ONE_MORE_TRY) if has_slipped else answer


@router.post("/games/{game_id:id}/puzzle")
async def make_puzzle(
    request: Request,
    game_id: str,
    ply: Annotated[int, Form(ge=0, le=10_000)],
    viewer: Reviewing,
    person: PersonDep,
    games: Part[Games],
    puzzles: Part[Puzzles],
) -> Response:
    """Make a puzzle of a position in a finished game, and go to it."""
    state = await games.seen_by(viewer, game_id)
    puzzle_id = await puzzles.make_of(viewer, state, ply, asker_of(request, viewer.id), person)
    return go(puzzle_path(puzzle_id, ""))
