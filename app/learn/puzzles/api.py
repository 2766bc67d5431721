"""Puzzles for programs."""

from fastapi import Request

from app.core.web.deps import Part
from app.core.web.params import BeforeMoment
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.learn.puzzles.queries import PuzzleInfo
from app.learn.puzzles.schemas import (
    AttemptJudged,
    AttemptMade,
    HistoryShown,
    MadeOfGame,
    PastAttempt,
    PuzzleGame,
    PuzzleShown,
    ThemeWanted,
)
from app.learn.puzzles.service import Puzzles
from app.people.identity.devices import Person
from app.people.identity.service import Identity
from app.people.identity.throttled import ReviewingProgram, SteppingProgram, asker_of
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, Program
from app.play.games.refusals import invalid_move
from app.play.games.service import Games
from engine.game import IllegalMove, MoveSyntaxError
from engine.puzzles.puzzle import attempt, given_up

router = Router(prefix="/api/v1", tags=["puzzles"])

_PAGE = 50


@router.get("/puzzles/daily", openapi_extra=TOKEN_IS_OPTIONAL)
async def daily(game: PuzzleGame, program: Program, puzzles: Part[Puzzles]) -> PuzzleShown:
    """Return the puzzle of the day, which is the same for everybody."""
    info = await puzzles.daily(game)
    return await _show(puzzles, program, info.id)


@router.get("/puzzles/next", responses=problems(409), openapi_extra=TOKEN_IS_OPTIONAL)
async def next_puzzle(
    game: PuzzleGame, program: Program, puzzles: Part[Puzzles], theme: ThemeWanted = ""
) -> PuzzleShown:
    """Return a puzzle near your rating that you never tried; 409 `no_puzzle` if there is none left.

    One that you choose by a theme that says what the first move does, such as `hijack`, is not rated for you.
    """
    info = await puzzles.next(program, game, theme or None)
    return await _show(puzzles, program, info.id)


@router.get("/puzzles/history")
async def history(
    game: PuzzleGame,
    program: KnownProgram,
    puzzles: Part[Puzzles],
    before: BeforeMoment = None,
) -> HistoryShown:
    """Return your rating and your first attempts at the puzzles of a game."""
    progress = await puzzles.progress(program, game)
    past = await puzzles.history(program, game, before, _PAGE)
    return HistoryShown(
        rating=round(progress.rating.rating),
        provisional=progress.rating.is_provisional,
        attempts=progress.attempts,
        solved=progress.solved,
        streak=progress.streak,
        best_streak=progress.best_streak,
        rows=[
            PastAttempt(
                puzzle=_shown(each.puzzle, is_over=not each.is_open),
                solved=each.solved,
                rating_change=round(each.rating_change, 1),
                attempted_at=each.attempted_at,
                is_open=each.is_open,
            )
            for each in past.attempts
        ],
        next=past.next,
    )


@router.get("/puzzles/{puzzle_id:id}", openapi_extra=TOKEN_IS_OPTIONAL)
async def get_puzzle(puzzle_id: str, program: Program, puzzles: Part[Puzzles]) -> PuzzleShown:
    """Return a puzzle."""
    return await _show(puzzles, program, puzzle_id)


@router.post("/puzzles/{puzzle_id:id}/attempts", responses=problems(409))
async def make_attempt(
    puzzle_id: str, body: AttemptMade, program: SteppingProgram, puzzles: Part[Puzzles]
) -> AttemptJudged:
    """Try to solve a puzzle. The first attempt that is finished changes your rating and the puzzle's.

    A slip that a page has forgiven belongs to it: the puzzle can then be solved, but not for rating.
    """
    person = Person(program.id)
    info = await puzzles.for_attempt(puzzle_id, person)
    try:
        made = attempt(info.puzzle, body.moves) if body.moves else given_up(info.puzzle)
    except (MoveSyntaxError, IllegalMove) as error:
        raise invalid_move(error) from None
    is_over = made.is_solved is not None
    change = (await puzzles.record(program, info, made, person)).change if is_over else None
    return AttemptJudged(
        solved=made.is_solved is True,
        finished=is_over,
        position=info.puzzle.rules.format(made.position),
        reply=made.reply,
        solution=list(info.puzzle.solution) if is_over else None,
        rating_change=None if change is None else round(change, 1),
    )


@router.post("/games/{game_id:id}/puzzle", status_code=201, responses=problems(409))
async def make_puzzle(
    request: Request,
    game_id: str,
    body: MadeOfGame,
    program: ReviewingProgram,
    games: Part[Games],
    puzzles: Part[Puzzles],
) -> PuzzleShown:
    """Make a puzzle of a position in a finished game for two, if one move is clearly the best there."""
    state = await games.seen_by(program, game_id)
    asker, person = asker_of(request, program.id), Person(program.id)
    puzzle_id = await puzzles.make_of(program, state, body.ply, asker, person)
    return await _show(puzzles, program, puzzle_id)


async def _show(puzzles: Puzzles, program: Identity | None, puzzle_id: str) -> PuzzleShown:
    info = await puzzles.show(program, puzzle_id)
    return _shown(info, is_over=await puzzles.is_attempted(program, puzzle_id))


def _shown(info: PuzzleInfo, *, is_over: bool) -> PuzzleShown:
    rules = info.puzzle.rules
    return PuzzleShown(
        id=info.id,
        game=info.puzzle.game,
        position=info.puzzle.position,
        side_to_move=rules.side_to_move(info.puzzle.start) or "",
        themes=list(info.puzzle.themes) if is_over else [],
        rating=round(info.rating.rating),
    )
