"""What can be wrong with a Golden Nugget record, and a list of it that stays short whatever the file."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.golden_nugget.board import Board

LISTED = 1000
"""The most problems that are listed of one record."""


class Code(StrEnum):
    """The stable word for a kind of problem."""

    SYNTAX = "syntax"
    BOARD_ORDER = "board_order"
    NO_WHITE = "no_white"
    NO_COLOUR_MOVES = "no_colour_moves"
    WRONG_LIFT = "wrong_lift"
    TOO_MANY_MOVES = "too_many_moves"
    NOT_SOLVED = "not_solved"
    WRONG_POSITION = "wrong_position"
    TOO_FEW_BOARDS = "too_few_boards"
    TOO_MANY_BOARDS = "too_many_boards"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: a sentence for people, and the board and move (from 1) where there is one to name."""

    code: Code
    message: str
    board: int | None = None
    move: int | None = None
    lay: Board | None = field(default=None, compare=False, repr=False)
    """How the board lay there, before the move, where the replay came as far."""


@dataclass(slots=True)
class Problems:
    """The first LISTED problems in the order in which they are found; `more` tells that there are others."""

    found: list[Problem] = field(default_factory=list)
    more: bool = False

    def add(
        self,
        code: Code,
        message: str,
        board: int | None = None,
        move: int | None = None,
        lay: Board | None = None,
    ) -> None:
        """Note a problem, or only that there are more once the list is full."""
        if len(self.found) < LISTED:
            self.found.append(Problem(code, message, board, move, lay))
        else:
            self.more = True

    def locate(self, board: int, move: int, lay: Board) -> None:
        """Note how the board lay at a problem that was found before."""
        for place, problem in enumerate(self.found):
            if (problem.board, problem.move) == (board, move):
                self.found[place] = replace(problem, lay=lay)
