"""Checking what a player tries on the page of a puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.core.i18n.text import Text
from app.learn.puzzles.boards import BOARDS
from app.learn.puzzles.forms import Tried
from app.play.games.views import Obstacle
from engine.game import IllegalMove, MoveSyntaxError
from engine.puzzles.puzzle import Attempt, Puzzle, attempt, given_up


@dataclass(frozen=True, slots=True)
class Answer:
    """How far a player has come with `moves`; `refusal` and `obstacle` say why a move was not possible."""

    moves: Sequence[str]
    attempt: Attempt
    refusal: Text | None = None
    obstacle: Obstacle | None = None


def begin(puzzle: Puzzle) -> Answer:
    """Return the answer to no move yet."""
    return Answer((), attempt(puzzle, ()))


def check(puzzle: Puzzle, tried: Tried) -> Answer:
    """Return the answer to a form. Moves before the new one that are not possible count as none."""
    try:
        before = Answer(tried.made, attempt(puzzle, tried.made))
    except (MoveSyntaxError, IllegalMove):
        before = begin(puzzle)
    match tried.command:
        case "undo":
            return Answer(before.moves[:-1], attempt(puzzle, before.moves[:-1]))
        case "give_up":
            return Answer((), given_up(puzzle))
    board = BOARDS[puzzle.game]
    moves = (*before.moves, tried.move)
    try:
        return Answer(moves, attempt(puzzle, moves))
    except MoveSyntaxError:
        return replace(before, refusal=board.unknown(tried.move))
    except IllegalMove as illegal:
        obstacle = board.why_not(before.attempt.position, tried.move, illegal)
        return replace(before, refusal=obstacle.text, obstacle=obstacle)
