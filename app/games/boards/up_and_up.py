"""The board of Up And Up."""

from collections.abc import Sequence

from app.games.boards.number_board import NumberBoard
from app.games.boards.numbers import Grid, Reach, Written
from app.games.boards.obstacles import in_numbers
from app.games.views import MoveKind, Obstacle
from engine.game import IllegalMove
from engine.up_and_up import UP_AND_UP, Position

_FIGURES = {
    "steps": ("6:b2,b3,d3", True),
    "fallen": ("4:b2,b3,d3,a3", True),
    "over": ("5:c5,c4,a4,d4,e4,e2,b2,b3,b5,e5,a5", True),
}


class UpAndUpBoard(NumberBoard):
    """Draws Up And Up for the registry of boards."""

    figure_positions = _FIGURES

    def grid(self, position: Position, *, playable: bool) -> Grid:
        """Return what to draw of a position."""
        written = [Written(number, "solo") for number in range(1, len(position.cells) + 1)]
        far = position.step if position.cells else 0
        reach = dict.fromkeys(position.reach(), Reach(far)) if playable else {}
        return Grid(position.size, position.cells, written, reach)

    def note(self, position: Position) -> str:
        """Return the value of k, the squares that it allows, and why it was reset if it was."""
        number, k = len(position.cells), position.k
        if not number:
            return "1 may go on any square."
        none = f"No free square lies {k} away from {number}"
        if not position.reach():
            return f"{none}, nor next to it." if k > 1 else f"No free square lies next to {number}."
        if position.step < k:
            return f"{none}: k falls back to 1, and {number + 1} goes next to it."
        away = "next to" if k == 1 else f"{k} squares up, down, left or right of"
        return f"k is {k}: {number + 1} goes {away} {number}."

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:  # noqa: ARG002 - there is one player
        """Return why the next number may not go on a square."""
        return in_numbers(position.cells, position.size, square, error, away=position.step)

    def score_note(self, position: Position, side: str) -> str:  # noqa: ARG002 - there is only one
        """Return how often k fell back."""
        return f"{position.resets} {'reset' if position.resets == 1 else 'resets'}"

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> str:  # noqa: ARG002 - there is one player
        """Return a move in words: its square."""
        return move

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return the last number, and the resets."""
        return (("Last number", str(len(position.cells))), ("Resets of k", str(position.resets)))


UP_AND_UP_BOARD = UpAndUpBoard(UP_AND_UP)
