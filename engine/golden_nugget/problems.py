"""The problems of a Golden Nugget record, and a list of them of limited length."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.golden_nugget.board import Board

LISTED = 1000
"""The maximum number of problems listed for a record."""


class Code(StrEnum):
    """The stable code of a kind of problem."""

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
    """A problem: a sentence for people, and the board and move it concerns (from 1), or None.

    `sentence` has placeholders for `figures`, so that pages can translate it; `message` has them filled in.
    """

    code: Code
    sentence: str
    board: int | None = None
    move: int | None = None
    position: Board | None = field(default=None, compare=False, repr=False)
    """The position before the move, or at the end of the board; None if the replay did not get there."""
    figures: Mapping[str, int | str] = field(default_factory=dict, hash=False)

    @property
    def message(self) -> str:
        """Return the sentence with its figures."""
        return self.sentence % self.figures if self.figures else self.sentence


@dataclass(slots=True)
class Problems:
    """The first LISTED problems in the order of `report`. `more` is true if there were others."""

    listed: list[Problem] = field(default_factory=list)
    more: bool = False

    def report(
        self,
        code: Code,
        sentence: str,
        board: int | None = None,
        move: int | None = None,
        position: Board | None = None,
        **figures: int | str,
    ) -> None:
        """Add a problem, or only set `more` if the list is full."""
        if len(self.listed) < LISTED:
            self.listed.append(Problem(code, sentence, board, move, position, figures))
        else:
            self.more = True

    def locate(self, board: int, move: int, position: Board) -> None:
        """Set the position of the problems already listed for a move."""
        for index, problem in enumerate(self.listed):
            if (problem.board, problem.move) == (board, move):
                self.listed[index] = replace(problem, position=position)
