"""Courses, their steps and their boards as values, goals of any course, and checking what a player tries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from markupsafe import Markup

from app.core.errors import NotFoundError
from app.core.i18n.text import Text, _, joined, reason_of
from app.nugget.drawing import draw_live
from app.play.games.boards import BOARDS
from app.play.games.views import Obstacle
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.golden_nugget.board import FORCES, START
from engine.golden_nugget.play import Play


class GameBoard:
    """The board of a game of the registry."""

    field = "move"
    """The name under which the board's buttons send a move."""

    def __init__(self, rules: Game[Any]) -> None:
        self.rules = rules
        self._board = BOARDS[rules]
        self.parse, self.play, self.moves = rules.parse, rules.play, rules.legal_moves

    @property
    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean."""
        return self._board.legend()

    def other_moves(self, position: Any) -> Sequence[tuple[str, Text]]:
        """Return the moves that are not squares, such as a pass."""
        return [(action.move, action.label) for action in self._board.actions(position)]

    def why_not(self, position: Any, move: str, error: IllegalMove) -> Obstacle:
        """Return in words why a square is closed, and the squares that cause it."""
        if error.reason in ("off_board", "game_over"):
            return Obstacle(move, reason_of(error))
        return self._board.obstacle(position, move, error, is_yours=True)

    def unknown(self, move: str) -> Text:
        """Return that a text names no square."""
        return _(
            "%(move)s is not a square of this board. A square is a letter and a number, such as c4.",
            move=move,
        )

    def draw(self, position: Any, *, last_move: str | None, playable: bool) -> Markup:
        """Draw a position."""
        finished = self.rules.side_to_move(position) is None
        return self._board.draw(
            position, last_move=last_move, playable=playable and not finished, finished=finished, live=True
        )


class NuggetBoard:
    """The board of Golden Nugget. A position is the commands that lead to it from the first board."""

    field = "commands"
    legend: Sequence[tuple[Markup, str]] = ()
    _OTHERS = (("undo", _("Undo")), ("turn", _("Turn the blocks")))

    def parse(self, text: str) -> Play:
        """Return the play after commands, separated by spaces."""
        return reduce(Play.commanded, text.split(), Play(1, START))

    def play(self, position: Play, move: str) -> Play:
        """Return the play after a command. Raise MoveSyntaxError or IllegalMove."""
        if move not in FORCES and move not in dict(self._OTHERS):
            raise MoveSyntaxError(move)
        return position.commanded(move)

    def moves(self, position: Play) -> Sequence[str]:
        """Return the forces that can push, and the other commands that are possible."""
        possible = []
        for move in (*FORCES, *dict(self._OTHERS)):
            try:
                position.commanded(move)
            except IllegalMove:
                continue
            possible.append(move)
        return possible

    def other_moves(self, position: Play) -> Sequence[tuple[str, Text]]:
        """Return taking back and turning, where they are possible."""
        possible = self.moves(position)
        return [(move, label) for move, label in self._OTHERS if move in possible]

    def why_not(self, position: Play, move: str, error: IllegalMove) -> Obstacle:  # noqa: ARG002 - the error has all
        """Return why a force cannot push."""
        return Obstacle(move, reason_of(error))

    def unknown(self, move: str) -> Text:
        """Return that a text names no force."""
        return _("%(move)s is not a force. The forces are 1 to 7 and A to U.", move=move)

    def draw(self, position: Play, *, last_move: str | None, playable: bool) -> Markup:  # noqa: ARG002 - always
        """Draw a board with its forces."""
        return draw_live(position.board)


LessonBoard = GameBoard | NuggetBoard


Goal = Callable[[Any, str, Any], bool]
"""Returns whether a move reaches the goal of a step: (position, move, position after it).

The position after an illegal move is None: some steps are about squares that are closed.
"""


def anything(_position: Any, _move: str, after: Any) -> bool:
    """Return whether the move is legal."""
    return after is not None


def one_of(*moves: str) -> Goal:
    """Return the goal to play one of some moves."""
    return lambda _position, move, after: after is not None and move in moves


def refused(*moves: str) -> Goal:
    """Return the goal to try one of some moves, and to see why it is not allowed."""
    return lambda _position, move, after: after is None and move in moves


@dataclass(frozen=True, slots=True)
class CourseStep:
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

    def reached_by(self, board: LessonBoard, moves: Iterable[str]) -> list[str]:
        """Return those of some legal moves that reach the goal."""
        position = board.parse(self.position)
        return [move for move in moves if self.goal(position, move, board.play(position, move))]


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a game, in order."""

    game: str
    title: str
    summary: Text
    board: LessonBoard
    steps: Sequence[CourseStep]

    def step(self, key: str) -> CourseStep:
        """Return the step with a key. Raise NotFoundError."""
        for step in self.steps:
            if step.key == key:
                return step
        raise NotFoundError("lesson")

    def path_of(self, step: CourseStep) -> str:
        """Return the address of a step."""
        return f"/learn/{self.game}/{step.key}"

    def next_step(self, passed: frozenset[str]) -> CourseStep:
        """Return the first step that is not passed, or the first one if all are."""
        return next((step for step in self.steps if step.key not in passed), self.steps[0])

    def count(self, passed: frozenset[str]) -> int:
        """Return how many of the steps are among those passed."""
        return sum(step.key in passed for step in self.steps)

    def following(self, step: CourseStep) -> CourseStep | None:
        """Return the step after a step, or None after the last."""
        place = self.steps.index(step) + 1
        return self.steps[place] if place < len(self.steps) else None


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The answer to a move: whether it reaches the goal, what to say, and the position to show."""

    correct: bool
    text: Text
    position: Any
    move: str | None = None
    """The move, if it was played."""
    obstacle: Obstacle | None = None
    """Why the move is not allowed, if it is not."""


def check(course: Course, step: CourseStep, move: str) -> LessonAnswer:
    """Return the answer to a move at a step."""
    board = course.board
    position = board.parse(step.position)
    try:
        after = board.play(position, move)
    except MoveSyntaxError:
        return LessonAnswer(False, board.unknown(move), position)
    except IllegalMove as illegal:
        obstacle = board.why_not(position, move, illegal)
        if step.goal(position, move, None):
            return LessonAnswer(True, joined(obstacle.text, step.done), position, obstacle=obstacle)
        return LessonAnswer(False, obstacle.text, position, obstacle=obstacle)
    if step.goal(position, move, after):
        return LessonAnswer(True, step.done, after, move)
    return LessonAnswer(False, step.replies.get(move, step.wrong), position)
