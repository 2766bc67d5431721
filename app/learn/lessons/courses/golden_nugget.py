"""The course of Golden Nugget. Positions are pushes from the first board."""

from app.core.i18n.text import _
from app.learn.lessons.course import Course, CourseStep, Goal, NuggetBoard, anything, one_of, refused
from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import Board
from engine.golden_nugget.play import Play

_SOLUTION = "H N B D D P 7 N T U 2 S 4 4 B B D 1 2 B 6 J S S M B 6 S 6 G 2 I O B L T I"
"""Solves the first board in 37 moves."""


def _after(moves: int) -> str:
    return " ".join(_SOLUTION.split()[:moves])


_NOT_NEARER = _(
    "The border has as many colours as before. Push from a side where a colour lies next to the force."
)
_BORDER = [cell for cell in range(49) if not (0 < cell % 7 < 6 and 0 < cell // 7 < 6)]


def lift(square: int) -> Goal:
    """Return the goal to lift the block on a square of the line, counted from the force."""

    def reached(position: Play, _move: str, after: Play | None) -> bool:
        return after is not None and len(after.made) > len(position.made) and after.made[-1].lifted == square

    return reached


def _on_border(board: Board) -> int:
    shown = COLOURS[board.face]
    return sum(shown[board.cells[cell]] is not Colour.WHITE for cell in _BORDER)


def bring_home(position: Play, move: str, after: Play | None) -> bool:
    """Return whether a push brings a coloured block from the border into the middle."""
    if after is None or move in ("undo", "turn"):
        return False
    return _on_border(after.board) < _on_border(position.board)


def solve(_position: Play, _move: str, after: Play | None) -> bool:
    """Return whether the board is solved."""
    return after is not None and after.is_solved


GOLDEN_NUGGET = Course(
    game="golden_nugget",
    title="Golden Nugget",
    summary=_("Push blocks until five colours lie in five strips, in as few moves as you can."),
    board=NuggetBoard(),
    steps=(
        CourseStep(
            "push",
            _("Push"),
            _(
                "There are forces around the board, 1 to 7 and A to U. Each pushes the line in front "
                "of it. Push with any of them."
            ),
            "",
            goal=anything,
            done=_(
                "In that line, the white block farthest from the force was lifted. The blocks "
                "between it and the force slid one square away from the force, and it went down next "
                "to the force."
            ),
            wrong=_("Choose a force at the edge of the board."),
        ),
        CourseStep(
            "lift",
            _("Which block is lifted"),
            _(
                "Point at a force to see which square it lifts from, counted from the force. Find "
                "one that lifts from the seventh, so that the whole line slides."
            ),
            "",
            goal=lift(7),
            done=_("Moves are written like that: the force, and the square of the lifted block."),
            wrong=_("That one lifts a block that is nearer. Every second force reaches the seventh square."),
        ),
        CourseStep(
            "stuck",
            _("Forces that are stuck"),
            _("A grey force cannot push. Choose 3 to see why."),
            _after(11),
            goal=refused("3"),
            done=_("A push has to move a coloured block."),
            wrong=_("That one pushes. Choose force 3, above the third column."),
            replies={"undo": _("You need not take anything back here. Choose force 3.")},
        ),
        CourseStep(
            "undo",
            _("Take back"),
            _("Take back the last move. You may do so as often as you like: only the moves that stay count."),
            "H",
            goal=one_of("undo"),
            done=_("Explore freely. You can also go back to the start of the board, and forward again."),
            wrong=_("That is one more push. Take back a move instead."),
        ),
        CourseStep(
            "home",
            _("Bring a colour home"),
            _(
                "All 25 coloured blocks belong in the middle, five by five. Twelve lie on the "
                "border: bring one in."
            ),
            _after(1),
            goal=bring_home,
            done=_("One move brings at most one of them in, so no board takes fewer than twelve."),
            wrong=_NOT_NEARER,
            replies={"undo": _("You need not take anything back here. Push a coloured block inwards.")},
        ),
        CourseStep(
            "strips",
            _("Five strips"),
            _(
                "A board is solved when each row of the middle shows one colour, or each column "
                "does. One push is left."
            ),
            _after(36),
            goal=solve,
            done=_("Solved: five columns, one colour each."),
            wrong=_("Not yet. The column of the blue blocks is one square out of line."),
            replies={"undo": _("Do not go back: one push forward solves the board.")},
        ),
        CourseStep(
            "turn",
            _("Turn the blocks"),
            _("This board is solved. Turn the blocks: their other faces are the next board."),
            _SOLUTION,
            goal=one_of("turn"),
            done=_("So each solved board decides how the next one begins."),
            wrong=_("The board is solved already. Turn the blocks."),
        ),
        CourseStep(
            "go-on",
            _("And so on"),
            _("Board 2 begins as you left board 1. Make its first move: bring a colour home again."),
            f"{_SOLUTION} turn",
            goal=bring_home,
            done=_(
                "An entry is 20 to 200 boards; fewer moves a board rank better. When a "
                "position comes back, even turned, the same boards follow again: look "
                "for a short way into a short cycle."
            ),
            wrong=_NOT_NEARER,
        ),
    ),
)
