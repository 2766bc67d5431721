"""The interface that every game implements: pure functions on immutable positions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from engine.canonical import Rows

PositionT = TypeVar("PositionT")

MAX_POSITION = 9_000
"""The maximum length of a position string, in characters. No game leads to a longer one."""

MAX_QUOTED = 40
"""How many characters of a text a sentence quotes at most."""


class Side(StrEnum):
    """A seat at the board. Each game lists its sides in the order in which they first move."""

    BLACK = "black"
    WHITE = "white"
    FIRST = "first"
    SECOND = "second"
    SOLO = "solo"

    @property
    def letter(self) -> str:
        """Return the letter of the side in position strings: b or w."""
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
"""Points by side. A game may add other figures by name, such as `resets` in Up And Up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game: the winner (None for a draw or a solitaire game) and why it ended."""

    winner: Side | None
    termination: Termination


@dataclass(frozen=True, slots=True)
class OptionRange:
    """The integers that an option of a game may take, both bounds included.

    `default` applies when the option is not given. `normal`, if set, is what a challenge proposes instead: a
    match of two rounds, for example, in a game whose rules default to one round. With another value of a
    variant than the default one, games are casual; the default value is never stated.
    """

    minimum: int
    maximum: int
    default: int
    normal: int | None = None
    is_variant: bool = False

    def is_stated(self, value: int) -> bool:
        """Return whether a value is among the options of a game."""
        return not self.is_variant or value != self.default

    @property
    def proposed(self) -> int:
        """Return the value that a challenge proposes."""
        return self.default if self.normal is None else self.normal


def with_defaults(ranges: Mapping[str, OptionRange], options: Mapping[str, int]) -> dict[str, int]:
    """Return the options with the default of each one not given, but for variants.

    Raise ExplainedError for an unknown option or a value out of range.
    """
    for name, value in options.items():
        if name not in ranges:
            raise ExplainedError("There is no option %(name)s.", name=quoted(name))
        if not ranges[name].minimum <= value <= ranges[name].maximum:
            raise ExplainedError(
                "%(name)s must be from %(least)s to %(most)s, not %(value)s.",
                name=name,
                least=ranges[name].minimum,
                most=ranges[name].maximum,
                value=shortened(str(value)),
            )
    complete = {name: options.get(name, allowed.default) for name, allowed in ranges.items()}
    return {name: value for name, value in complete.items() if ranges[name].is_stated(value)}


def is_variant(ranges: Mapping[str, OptionRange], options: Mapping[str, int]) -> bool:
    """Return whether options state a variant: such games are casual."""
    return any(ranges[name].is_variant for name in options)


class ExplainedError(ValueError):
    """An error with a sentence for people.

    `message` has placeholders for `figures`, so that pages can translate it. A figure may
    be another such error. Texts that somebody sent are `quoted` or `shortened`.
    """

    def __init__(self, message: str, **figures: Any) -> None:
        super().__init__(message % figures if figures else message)
        self.message = message
        self.figures = figures


class MoveSyntaxError(ExplainedError):
    """The text is not a move, or not a position, in the notation of the game."""


class IllegalMove(ExplainedError):  # noqa: N818 - the field's name for it
    """A well-formed move that the rules do not allow in the position.

    `reason` is a stable snake_case code for programs.
    """

    def __init__(self, reason: str, message: str, **figures: Any) -> None:
        super().__init__(message, **figures)
        self.reason = reason


def shortened(text: str) -> str:
    """Return a text as a sentence may repeat it: `…` stands for what is beyond MAX_QUOTED characters."""
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


def quoted(text: str) -> str:
    """Return a text in quotation marks, shortened."""
    return repr(shortened(text))


def check_length(position: str) -> None:
    """Raise MoveSyntaxError if a position string is longer than MAX_POSITION.

    `parse` of every game calls it first: what is kept of a position has no other bound.
    """
    if len(position) > MAX_POSITION:
        raise MoveSyntaxError("A position has %(most)s characters at most.", most=MAX_POSITION)


class Game(Protocol[PositionT]):
    """The rules of a game. Moves are strings in the notation of the game; positions are immutable values.

    Options are integers by name, such as `size`; `options` has the range of each.
    """

    key: str
    title: str
    short_title: str
    """The title where there is little room."""
    sides: Sequence[Side]
    options: Mapping[str, OptionRange]
    has_draws: bool
    """Whether two players may draw."""

    def initial(self, options: Mapping[str, int]) -> PositionT:
        """Return the starting position. Raise ValueError for an unknown option or a value out of range."""

    def side_to_move(self, position: PositionT) -> Side | None:
        """Return the side to move, or None if the game is over."""

    def mover(self, position: PositionT, ply: int) -> Side:
        """Return the side that made the move of a ply, counted from 1, in the game that led to a position."""

    def legal_moves(self, position: PositionT) -> list[str]:
        """Return all legal moves, squares in board order. The list is empty if the game is over."""

    def forced_move(self, position: PositionT) -> str | None:
        """Return the move that the server plays for a side that has no choice, or None."""

    def play(self, position: PositionT, move: str) -> PositionT:
        """Return the position after a move. Raise MoveSyntaxError or IllegalMove."""

    def outcome(self, position: PositionT) -> Outcome | None:
        """Return the outcome by the rules of the game, or None if the game is not over."""

    def score(self, position: PositionT) -> Score:
        """Return the current score, which is defined in every position."""

    def parse(self, text: str) -> PositionT:
        """Return the position that a string describes. Raise MoveSyntaxError, also as `check_length` does."""

    def format(self, position: PositionT) -> str:
        """Return the position as a string that `parse` accepts."""

    def options_of(self, position: PositionT) -> Mapping[str, int]:
        """Return the options of the games that a position can occur in."""

    def contents(self, position: PositionT) -> tuple[Sequence[str], str]:
        """Return what is on each square, in board order, and all else that the position consists of.

        Points scored already are left out: in a game they follow from the rest. A board that is turned or
        mirrored has the same contents in another order.
        """

    def canonical_form(self, position: PositionT) -> Rows:
        """Return what decides the continuation: the moves from here on, and what they score.

        It is the same for exactly the positions that the rules do not tell apart. It is from the view of the
        side to move, for the board turned and mirrored alike. Points scored already and a komi are left out,
        since they are added whatever is played; so are other rounds of a match, and a pass just made. A game
        that is over has no cells.
        """

    def moves_towards(
        self, position: PositionT, targets: Sequence[PositionT], plies: int
    ) -> Mapping[str, Sequence[PositionT]]:
        """Return the legal moves that may lead to the form of one of the targets within some plies.

        With each move come the targets that it may lead to. A game with few moves returns them all; one with
        many leaves out most of those that do not lead to a target.
        """


class SolitaireGame(Game[PositionT], Protocol[PositionT]):
    """The rules of a game for one player, who aims at the highest score. Its only side is `Side.SOLO`.

    As `initial` does, all functions of options raise ValueError for an unknown one or a value out of range.
    """

    tie_break: str | None
    """The figure of the score that ranks games with equal points (the smaller the better), or None."""

    def ceiling(self, options: Mapping[str, int]) -> int | None:
        """Return the most points that the rules allow, or None if no such bound is known."""

    def least_tie_break(self, options: Mapping[str, int]) -> int | None:
        """Return a tie-break that no game with the most points goes below, or None without a tie-break."""
