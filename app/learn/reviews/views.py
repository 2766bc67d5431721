"""What the page of a review shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text
from app.play.games.views import ReplayView
from engine.search.levels import USUAL


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a player played: the accuracy in percent, and the mean loss of a move in points."""

    side: str
    username: str
    accuracy: float
    loss: float


@dataclass(frozen=True, slots=True)
class Costly:
    """A move that lost points, and the one that the computer prefers."""

    text: Text
    path: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A finished review, at one ply of the game."""

    chart: Markup
    legend: Text
    figures: Sequence[Figures]
    costly: Sequence[Costly]
    turning_point: Text | None
    note: Text | None  # on the move that led to the ply shown


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The page of a review: `review` is None until it is finished."""

    path: str
    title: Text
    is_requested: bool
    evaluated: int
    to_evaluate: int
    replay: ReplayView
    review: ReviewView | None
    game_path: str  # of the game or board that is reviewed
    analysis_path: str = ""
    play_on: Sequence[tuple[int, Text]] = ()  # levels of the computer, where a side is to move
    usual_level: int = USUAL
    makes_puzzle: bool = False  # whether a puzzle may be made of the position
