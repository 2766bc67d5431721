"""What every game of the registry offers: positions are values, and a game is pure functions of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

PositionT = TypeVar("PositionT")


class Side(StrEnum):
    """A seat at the board. Each game lists its own sides in the order in which they move first."""

    BLACK = "black"
    WHITE = "white"
    FIRST = "first"
    SECOND = "second"
    SOLO = "solo"

    @property
    def letter(self) -> str:
        """Give the side's letter in position strings: b or w."""
        return self[0]


class Termination(StrEnum):
    """Why a game ended."""

    PASSES = "passes"
    NO_MOVE = "no_move"
    RESIGN = "resign"
    TIME = "time"
    LEFT = "left"
    ABORT = "abort"


Score = Mapping[str, float]
"""Points by side; a game may add figures of its own under other names, such as the resets of Up And Up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: who won (None: a draw, or a solitaire game) and why it ended."""

    winner: Side | None
    termination: Termination


@dataclass(frozen=True, slots=True)
class OptionRange:
    """The whole numbers that an option of a game may take.

    `default` is what the rules take when nothing is said. `normal` is what a challenge proposes, where that
    is something else: a match of two rounds, say, of a game whose plain rules are those of one.
    """

    minimum: int
    maximum: int
    default: int
    normal: int | None = None

    @property
    def proposed(self) -> int:
        """Give what a challenge proposes."""
        return self.default if self.normal is None else self.normal


def choose(ranges: Mapping[str, OptionRange], options: Mapping[str, int]) -> dict[str, int]:
    """Fill in the defaults of options not given. Raises ValueError for one unknown or out of range."""
    for name, value in options.items():
        if name not in ranges:
            raise ValueError(f"There is no option {name!r}.")
        if not ranges[name].minimum <= value <= ranges[name].maximum:
            raise ValueError(
                f"{name} must be from {ranges[name].minimum} to {ranges[name].maximum}, not {value}."
            )
    return {name: options.get(name, allowed.default) for name, allowed in ranges.items()}


class MoveSyntaxError(ValueError):
    """The text is not a move (or not a position) in this game's notation at all."""


class IllegalMove(ValueError):  # noqa: N818 - the field's name for it
    """A well-formed move that the rules do not allow here.

    `reason` is a stable snake_case word for programs; the message is a sentence for people.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Game(Protocol[PositionT]):
    """One game's rules. Moves are text in the game's notation; positions are immutable values.

    Options are whole numbers by name (`size`), each within its range of `options`.
    """

    key: str
    title: str
    sides: Sequence[Side]
    options: Mapping[str, OptionRange]

    def initial(self, options: Mapping[str, int]) -> PositionT:
        """Give the position before the first turn. Raises ValueError for an unfit option (see `choose`)."""

    def side_to_move(self, position: PositionT) -> Side | None:
        """Give the side whose turn it is, or None when the game is over."""

    def mover(self, position: PositionT, ply: int) -> Side:
        """Give the side that took the turn of a ply, counted from 1, on the way to a position."""

    def legal_moves(self, position: PositionT) -> list[str]:
        """Give every legal move, squares in board order; empty when the game is over."""

    def forced_move(self, position: PositionT) -> str | None:
        """Give the move that the server plays for a side which has nothing to decide, or None."""

    def play(self, position: PositionT, move: str) -> PositionT:
        """Give the position after a move. Raises MoveSyntaxError or IllegalMove."""

    def outcome(self, position: PositionT) -> Outcome | None:
        """Give how the game ended by its own rules, or None while it goes on."""

    def score(self, position: PositionT) -> Score:
        """Give the score by side as it stands; it can be read at any ply."""

    def parse(self, text: str) -> PositionT:
        """Read a position string. Raises MoveSyntaxError for text that is not one."""

    def format(self, position: PositionT) -> str:
        """Write a position as a string that `parse` reads back."""


class SolitaireGame(Game[PositionT], Protocol[PositionT]):
    """The rules of a game for one player, who aims at the highest score. Its only side is `Side.SOLO`."""

    tie_break: str | None
    """The further figure of the score by which equal points are told apart, the smaller the better."""

    def ceiling(self, options: Mapping[str, int]) -> int | None:
        """Give the points that no game can exceed, where the rules themselves set such a bound."""
