"""The course of Jumping Farther & Farther."""

from typing import Any

from app.core.i18n.text import _
from app.learn.lessons.course import Course, CourseStep, GameBoard, anything, refused
from engine import jumping_farther


def score_a_jump(position: Any, _move: str, after: Any) -> bool:
    """Return whether a number of Jumping Farther & Farther scores a point."""
    if after is None:
        return False
    return sum(jumping_farther.JUMPING_FARTHER.score(after).values()) > sum(
        jumping_farther.JUMPING_FARTHER.score(position).values()
    )


def leave_nothing(_position: Any, _move: str, after: Any) -> bool:
    """Return whether no next number of Jumping Farther & Farther can score."""
    return after is not None and not any(after.current.scores(far) for _, far in after.current.reach())


def end_the_round(_position: Any, _move: str, after: Any) -> bool:
    """Return whether no number can follow in Jumping Farther & Farther."""
    return after is not None and after.is_over


JUMPING_FARTHER = Course(
    game="jumping_farther",
    title="Jumping Farther & Farther",
    summary=_("Write numbers on a grid, and jump farther than the jump before."),
    board=GameBoard(jumping_farther.JUMPING_FARTHER),
    steps=(
        CourseStep(
            "begin",
            _("The first number"),
            _("Two players write 1, 2, 3 and so on in turns. Put 1 on any square."),
            "6: 0 0",
            goal=anything,
            done=_("The second player writes 2, then it is your turn again."),
            wrong=_("Choose a square of the board."),
        ),
        CourseStep(
            "lines",
            _("Lines"),
            _(
                "Each number goes on an empty square in line with the one before: across, up and "
                "down, or diagonally. Write 2."
            ),
            "6:c3 0 0",
            goal=anything,
            done=_("Any distance will do."),
            wrong=_("Choose one of the marked squares."),
        ),
        CourseStep(
            "closed",
            _("Out of line"),
            _("Choose e4 to see why 2 cannot go there."),
            "6:c3 0 0",
            goal=refused("e4"),
            done=_("Every closed square tells you its reason like this."),
            wrong=_("That square is open. Choose e4."),
        ),
        CourseStep(
            "farther",
            _("Jump farther"),
            _(
                "From 3 on, a number scores a point when its jump is longer than the jump before. "
                "The last jump went one square: score a point."
            ),
            "6:c3,c4 0 0",
            goal=score_a_jump,
            done=_("A point for you. Your opponent now has to jump farther still to score."),
            wrong=_("One square is as far as the last jump, so it scores nothing. Go farther."),
        ),
        CourseStep(
            "over",
            _("Over other numbers"),
            _(
                "Numbers in between do not matter. The last jump went two squares: go farther, over "
                "the others."
            ),
            "6:a5,c3,b3,d3 0 1",
            goal=score_a_jump,
            done=_("You jumped over what was in the way."),
            wrong=_("That is not farther than two squares."),
        ),
        CourseStep(
            "nothing",
            _("Leave nothing"),
            _(
                "A jump of yours is the one that your opponent has to beat. Find a jump after which "
                "the next number cannot score."
            ),
            "6:f4,f2,f6,a1,a3,a2 1 1",
            goal=leave_nothing,
            done=_("No square is far enough from there."),
            wrong=_("Your opponent could jump farther from there. Try a longer jump."),
        ),
        CourseStep(
            "end",
            _("The end of a round"),
            _(
                "A round ends when no empty square is in line with the last number. You lead by 3 to "
                "1: end it."
            ),
            "4:a3,c3,d2,b2,b1,b3,c4,a4,d4 1 3",
            goal=end_the_round,
            done=_(
                "You have won the round. In a match the sides are exchanged for the second round, "
                "and the points add up."
            ),
            wrong=_("The round would go on. Find a square with nothing free in line."),
        ),
    ),
)
