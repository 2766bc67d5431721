"""The course of Up And Up."""

from typing import Any

from app.core.i18n.text import _
from app.learn.lessons.course import Course, CourseStep, GameBoard, anything, refused
from engine import up_and_up


def keep_rising(_position: Any, _move: str, after: Any) -> bool:
    """Return whether the next number of Up And Up can still go a square farther."""
    return after is not None and bool(after.free_at(after.k))


UP_AND_UP = Course(
    game="up_and_up",
    title="Up And Up",
    summary=_("Write numbers, each one square farther than the last, until the grid is full."),
    board=GameBoard(up_and_up.UP_AND_UP),
    steps=(
        CourseStep(
            "begin",
            _("The first number"),
            _("Put 1 on any square. The aim is to write as high a number as you can."),
            "6:",
            goal=anything,
            done=_("A full board of six by six ends with 36."),
            wrong=_("Choose a square of the board."),
        ),
        CourseStep(
            "one",
            _("One square away"),
            _("The next number goes one square up, down, left or right of the last. Write 2."),
            "6:c3",
            goal=anything,
            done=_("After each number, the distance grows by one. It is called k."),
            wrong=_("Choose one of the marked squares."),
        ),
        CourseStep(
            "two",
            _("Two squares away"),
            _("Now k is 2: write 3 exactly two squares away. Numbers in between do not matter."),
            "6:c3,c4",
            goal=anything,
            done=_("Three squares away comes next."),
            wrong=_("Choose one of the marked squares."),
        ),
        CourseStep(
            "closed",
            _("No shorter steps"),
            _("k is 2. Choose c5, next to the last number, to see why it is closed."),
            "6:c3,c4",
            goal=refused("c5"),
            done=_("Whenever possible, each number goes farther than the one before."),
            wrong=_("That square is open. Choose c5."),
        ),
        CourseStep(
            "reset",
            _("Back to one"),
            _(
                "k is 4, and no square that far from the last number is free. Then k falls back to "
                "1: write the next number beside the last."
            ),
            "6:e3,e4,e6,b6,f6,f1,f2,f4,c4",
            goal=anything,
            done=_(
                "That was a reset. Of two players with equal scores, the one with fewer resets ranks higher."
            ),
            wrong=_("Choose one of the marked squares."),
        ),
        CourseStep(
            "ahead",
            _("Look ahead"),
            _("Choose the square from which the next number can go one square farther again."),
            "6:e3,e4,e6,b6",
            goal=keep_rising,
            done=_("Each jump prepares the next one. That is all: try the whole board."),
            wrong=_("From there, nothing is free at the next distance, and k would fall back to 1."),
        ),
    ),
)
