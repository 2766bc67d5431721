"""The course of JadeJack. The player is Black unless a position says otherwise."""

from typing import Any

from app.core.i18n.text import _
from app.learn.lessons.course import Course, CourseStep, GameBoard, Goal, one_of, refused
from engine import jadejack, squares
from engine.game import Side

_NOT_HERE = _("That is a good square, but not what this step is about. Try again.")


def _kind(kind: jadejack.Placement) -> Goal:
    def reached(position: Any, move: str, after: Any) -> bool:
        if after is None or move == jadejack.PASS:
            return False
        return (
            jadejack.placement_kind(position.stacks[squares.locate(move, position.size)], position.side)
            is kind
        )

    return reached


place = _kind(jadejack.Placement.ORDINARY)
hijack, reinforce = _kind(jadejack.Placement.HIJACK), _kind(jadejack.Placement.SELF_STACK)
"""The goals to place a disk on an empty square, on an opponent's stack, and on one's own."""


def cut_off(square: str) -> Goal:
    """Return the goal to leave the opponent no strength on a square."""

    def reached(position: Any, _move: str, after: Any) -> bool:
        if after is None:
            return False
        black, white = jadejack.strengths(after)
        opposing = white if position.side is Side.BLACK else black
        return opposing[squares.locate(square, after.size)] == 0

    return reached


def gain(points: float) -> Goal:
    """Return the goal to improve one's score against the opponent's by so many points of JadeJack."""

    def lead(position: Any, side: Side) -> float:
        score = jadejack.JADEJACK.score(position)
        return (score["black"] - score["white"]) * (1 if side is Side.BLACK else -1)

    def reached(position: Any, move: str, after: Any) -> bool:
        if after is None or move == jadejack.PASS:
            return False
        return lead(after, position.side) - lead(position, position.side) >= points

    return reached


JADEJACK = Course(
    game="jadejack",
    title="JadeJack",
    summary=_("Place disks, build stacks, and rule the empty squares."),
    board=GameBoard(jadejack.JADEJACK),
    steps=(
        CourseStep(
            "first-disk",
            _("Your first disk"),
            _(
                "You are Black, and you begin. Put a disk on a square with a dot: all but the four "
                "in the centre."
            ),
            "8/8/8/8/8/8/8/8 b 0",
            goal=place,
            done=_("A disk gives you strength 1 on each square next to it: up, down, left and right."),
            wrong=_NOT_HERE,
            replies={"pass": _("A pass is allowed, but place a disk first.")},
        ),
        CourseStep(
            "equal",
            _("Equal strength"),
            _(
                "You may take an empty square where you are at least as strong as White. Both of you "
                "have strength 1 on d5, so take it."
            ),
            "8/8/8/2b1w3/8/8/8/8 b 0",
            goal=one_of("d5"),
            done=_("One against one is enough, and so is zero against zero."),
            wrong=_("You may go there, but d5 lies between the two disks. Take that one."),
        ),
        CourseStep(
            "closed",
            _("Closed squares"),
            _("No dot means closed. Choose d5, where White is stronger, to see why."),
            "8/8/3w4/2b1w3/8/8/8/8 b 0",
            goal=refused("d5"),
            done=_("You can ask like this in every game."),
            wrong=_("That square is open. Choose d5, which has no dot."),
        ),
        CourseStep(
            "reinforce",
            _("A second disk"),
            _("You may put one more disk on your own lone disk. Do it: a stack of two reaches two squares."),
            "8/8/8/2b5/8/5w2/8/8 b 0",
            goal=reinforce,
            done=_("It now gives you strength on two squares in each direction."),
            wrong=_("That is a new disk. Put this one on your disk on c5."),
        ),
        CourseStep(
            "twice",
            _("Only once"),
            _("Your stack on c5 has two of your disks on top. Choose it to see whether it takes a third."),
            "8/8/8/2(bb)5/8/5w2/8/8 b 0",
            goal=refused("c5"),
            done=_("A stack grows further only when it changes hands."),
            wrong=_("Choose the stack on c5."),
        ),
        CourseStep(
            "hijack",
            _("Hijack"),
            _(
                "A dashed ring marks a white disk that you may cap: your strength there is greater "
                "than White's by at least the height of the stack. Hijack it."
            ),
            "8/8/8/2(bb)w4/3b4/8/8/8 b 0",
            goal=hijack,
            done=_("The stack is yours now, and one disk higher."),
            wrong=_("That square is empty. Cap the white disk on d5."),
        ),
        CourseStep(
            "too-high",
            _("Too high to hijack"),
            _(
                "The higher a stack, the more strength a hijack takes. Choose White's stack on d5 to "
                "see how much."
            ),
            "8/8/8/2(bb)(ww)4/8/8/8/8 b 0",
            goal=refused("d5"),
            done=_("High stacks are safe."),
            wrong=_("Choose the stack of two on d5."),
        ),
        CourseStep(
            "diagonals",
            _("Three disks"),
            _(
                "You have just hijacked d5. Only one of the disks on top is yours, so you may "
                "reinforce it. Stacks of three and more also reach along the diagonals."
            ),
            "8/8/8/2b(wb)4/8/5w2/8/8 b 0",
            goal=one_of("d5"),
            done=_("Strength on three squares in each direction, and on one along each diagonal."),
            wrong=_("Reinforce the stack on d5."),
        ),
        CourseStep(
            "block",
            _("Block"),
            _(
                "White's stack on b5 is strong on d5, but strength does not pass a wall: fill the "
                "only square between."
            ),
            "8/8/8/1(ww)6/2(bb)5/8/8/8 b 0",
            goal=cut_off("d5"),
            done=_(
                "A square gets nothing when all squares between it and the stack are taken, by either side."
            ),
            wrong=_("White still reaches d5. Which square lies between b5 and d5?"),
        ),
        CourseStep(
            "territory",
            _("Territory"),
            _(
                "Each empty square where you are stronger is a point. Find a move that improves your "
                "score against White's by at least 5."
            ),
            "8/8/2b5/3w1b2/2b2w2/5w2/2(wb)5/8 b 0",
            goal=gain(5),
            done=_(
                "The score beside the board always shows the count as it is now. White gets 1.5 "
                "points more for moving second."
            ),
            wrong=_("That gains less. Which of your stacks can grow?"),
        ),
        CourseStep(
            "pass",
            _("Pass at the right moment"),
            _("White has passed. Two passes end the game, and you are ahead by 16 to 13.5. Pass, and win."),
            "1w1b4/w1(bw)b2b1/1w(bbw)1(wb)b2/2w(ww)b1(bb)1/1(bw)1wb1b1/2w1(wb)3/1ww(ww)b1b1/3w1b2 b 1",
            goal=one_of("pass"),
            done=_(
                "You have won. When you fall behind, play on: you need not pass while a square is "
                "open to you."
            ),
            wrong=_("White could answer, and the game would go on. You are ahead: pass."),
        ),
    ),
)
