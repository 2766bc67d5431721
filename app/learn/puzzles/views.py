"""What the pages of puzzles show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.core.i18n.text import Text
from app.learn.puzzles.queries import PuzzleProgress
from app.play.games.views import Obstacle


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle, with the answer to what the player has tried, if anything.

    `score` has the points of both sides. `solution`, `themes` and `source_path` are empty until the attempt
    is over.
    """

    title: str
    goal: Text
    rating: int
    score: Sequence[tuple[str, float]]
    path: str
    list_path: str
    rules_path: str
    next_path: str
    field: str
    line: str
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    progress: Text | None
    reply: Text | None
    obstacle: Obstacle | None
    is_over: bool
    is_solved: bool
    may_undo: bool
    solution: str
    themes: Sequence[Text]
    source_path: str
    figures: Text | None


@dataclass(frozen=True, slots=True)
class GameOfPuzzles:
    """The puzzles of a game in the list of games."""

    title: str
    path: str
    daily: "PuzzleOfDay"
    progress: PuzzleProgress


@dataclass(frozen=True, slots=True)
class PuzzleOfDay:
    """The puzzle of the day of a game."""

    title: str
    path: str
    goal: Text
    is_attempted: bool


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """An attempt in the history."""

    path: str
    goal: Text
    rating: int
    solved: bool
    change: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PuzzlesOfGame:
    """The page of a game's puzzles: `themes` are names with addresses."""

    title: str
    path: str
    progress: PuzzleProgress
    themes: Sequence[tuple[Text, str]]
    history: Sequence[PastAttempt]
    older_path: str
