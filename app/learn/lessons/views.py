"""What the pages of lessons show."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text
from app.play.games.views import Obstacle


@dataclass(frozen=True, slots=True)
class CourseView:
    """A course in the list: how many of its steps are passed, and where to go on."""

    title: str
    summary: Text
    passed: int
    steps: int
    path: str


@dataclass(frozen=True, slots=True)
class Place:
    """A step in the list of its course."""

    title: Text
    path: str
    is_passed: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class LessonView:
    """A step, counted from 1, with the answer to what the player has tried, if anything."""

    course: str
    number: int
    rules_path: str
    play_path: str
    title: Text
    text: Text
    path: str
    field: str
    places: Sequence[Place]
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    reply: Text | None
    obstacle: Obstacle | None
    is_done: bool
    next_path: str | None
