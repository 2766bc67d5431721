"""Checking what a player tries on the page of a puzzle, on the boards of lessons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.learn.lessons.course import GameBoard, LessonBoard, NuggetBoard
from app.learn.puzzles.schemas import Tried
from app.nugget.drawing import draw_live
from app.play.games.views import Obstacle
from engine.game import IllegalMove, MoveSyntaxError
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.puzzles.puzzle import Attempt, Puzzle, attempt, given_up
from engine.up_and_up import UP_AND_UP


class OneBoard(NuggetBoard):
    """The board of Golden Nugget, for positions that are boards (see `engine.puzzles.rules`)."""

    def other_moves(self, position: Any) -> Sequence[tuple[str, Text]]:  # noqa: ARG002 - there are none
        """Return nothing: all moves are forces."""
        return ()

    def draw(self, position: Any, *, last_move: str | None, playable: bool) -> Markup:  # noqa: ARG002 - always
        """Draw a board with its forces."""
        return draw_live(position)


BOARDS: Mapping[str, LessonBoard] = {
    "jadejack": GameBoard(JADEJACK),
    "golden_nugget": OneBoard(),
    "jumping_farther": GameBoard(JUMPING_FARTHER),
    "up_and_up": GameBoard(UP_AND_UP),
}
"""The board of each game, by the key of the game."""


ONE_MORE_TRY = _("You have one more try before you open another puzzle. It no longer raises your rating.")


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """How far a player has come with `moves`; `refusal` and `obstacle` say why a move was not possible."""

    moves: Sequence[str]
    attempt: Attempt
    refusal: Text | None = None
    obstacle: Obstacle | None = None


def begin(puzzle: Puzzle) -> PuzzleAnswer:
    """Return the answer to no move yet."""
    return PuzzleAnswer((), attempt(puzzle, ()))


def check(puzzle: Puzzle, tried: Tried) -> PuzzleAnswer:
    """Return the answer to a form. Moves before the new one that are not possible count as none."""
    try:
        before = PuzzleAnswer(tried.made, attempt(puzzle, tried.made))
    except (MoveSyntaxError, IllegalMove):
        before = begin(puzzle)
    match tried.command:
        case "undo":
            return PuzzleAnswer(before.moves[:-1], attempt(puzzle, before.moves[:-1]))
        case "again":
            return before
        case "give_up":
            return PuzzleAnswer((), given_up(puzzle))
    board = BOARDS[puzzle.game]
    moves = (*before.moves, tried.move)
    try:
        return PuzzleAnswer(moves, attempt(puzzle, moves))
    except MoveSyntaxError:
        return replace(before, refusal=board.unknown(tried.move))
    except IllegalMove as illegal:
        obstacle = board.why_not(before.attempt.position, tried.move, illegal)
        return replace(before, refusal=obstacle.text, obstacle=obstacle)
