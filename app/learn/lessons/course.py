"""Courses and their steps as values, and checking what a player tries."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import NotFoundError
from app.core.i18n.text import Text, joined
from app.learn.lessons.boards import LessonBoard
from app.play.games.views import Obstacle
from engine.game import IllegalMove, MoveSyntaxError

Goal = Callable[[Any, str, Any], bool]
"""Returns whether a move reaches the goal of a step: (position, move, position after it).

The position after an illegal move is None: some steps are about squares that are closed.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A position with something to try.

    `done` is said when the goal is reached, `wrong` after a legal move that misses it; `replies` has answers
    to certain moves instead. Illegal moves are answered with the reason of the rules.
    """

    key: str
    title: Text
    text: Text
    position: str
    goal: Goal
    done: Text
    wrong: Text
    replies: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a game, in order."""

    game: str
    title: str
    summary: Text
    board: LessonBoard
    steps: Sequence[Step]

    def step(self, key: str) -> Step:
        """Return the step with a key. Raise NotFoundError."""
        for step in self.steps:
            if step.key == key:
                return step
        raise NotFoundError("lesson")

    def count(self, passed: frozenset[str]) -> int:
        """Return how many of the steps are among those passed."""
        return sum(step.key in passed for step in self.steps)

    def following(self, step: Step) -> Step | None:
        """Return the step after a step, or None after the last."""
        place = self.steps.index(step) + 1
        return self.steps[place] if place < len(self.steps) else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a move: whether it reaches the goal, what to say, and the position to show."""

    correct: bool
    text: Text
    position: Any
    move: str | None = None
    """The move, if it was played."""
    obstacle: Obstacle | None = None
    """Why the move is not allowed, if it is not."""


def check(course: Course, step: Step, move: str) -> Answer:
    """Return the answer to a move at a step."""
    board = course.board
    position = board.parse(step.position)
    try:
        after = board.play(position, move)
    except MoveSyntaxError:
        return Answer(False, board.unknown(move), position)
    except IllegalMove as illegal:
        obstacle = board.why_not(position, move, illegal)
        if step.goal(position, move, None):
            return Answer(True, joined(obstacle.text, step.done), position, obstacle=obstacle)
        return Answer(False, obstacle.text, position, obstacle=obstacle)
    if step.goal(position, move, after):
        return Answer(True, step.done, after, move)
    return Answer(False, step.replies.get(move, step.wrong), position)
