"""The board of Up And Up."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from markupsafe import Markup

from app.core.i18n.text import Text, _, ngettext
from app.play.games.boards.numbers import Grid, NumberBoard, Reach, WrittenNumber, obstacle_to_next
from app.play.games.views import Obstacle
from engine.game import IllegalMove
from engine.game_record import GameRecord
from engine.up_and_up import Position
from engine.variations import Tree

_SAMPLE = "c4 c3 c1 b1 d1 a1 e1 e2 c2 c5 b5 d5 a5 e5 e4 d4 d2 a2 b2 b4 a4 a3 b3 d3 e3"


class UpAndUpBoard(NumberBoard):
    """Draws Up And Up for the registry of boards."""

    summary = _("For one: each number goes one square farther than the one before.")
    examples: ClassVar[Mapping[str, tuple[str, bool, bool]]] = {
        "steps": ("6:b2,b3,d3", True, False),
        "fallen": ("4:b2,b3,d3,a3", True, False),
        "over": ("5:c5,c4,a4,d4,e4,e2,b2,b3,b5,e5,a5", True, False),
    }
    sample = GameRecord(
        "up_and_up",
        {"size": 5},
        Tree.of_moves(_SAMPLE.split()),
        players=1,
    )

    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean: no square scores by itself."""
        return super().legend()[:2]

    def grid(self, position: Position, *, playable: bool) -> Grid:
        """Return what to draw of a position."""
        written = [WrittenNumber(number, "solo") for number in range(1, len(position.cells) + 1)]
        far = position.step if position.cells else 0
        reach = dict.fromkeys(position.reach(), Reach(far)) if playable else {}
        return Grid(position.size, position.cells, written, reach)

    def note(self, position: Position) -> Text:
        """Return the value of k, the squares that it allows, and why it was reset if it was."""
        number, k = len(position.cells), position.k
        if not number:
            return _("1 may go on any square.")
        if not position.reach():
            return ngettext(
                "No free square lies next to %(number)s.",
                "No free square lies %(count)s away from %(number)s, nor next to it.",
                k,
                number=number,
            )
        if position.step < k:
            return _(
                "No free square lies %(k)s away from %(number)s: k falls back to 1, and %(next)s goes "
                "next to it.",
                k=k,
                number=number,
                next=number + 1,
            )
        return ngettext(
            "k is %(count)s: %(next)s goes next to %(number)s.",
            "k is %(count)s: %(next)s goes %(count)s squares up, down, left or right of %(number)s.",
            k,
            next=number + 1,
            number=number,
        )

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:  # noqa: ARG002 - there is one player
        """Return why the next number may not go on a square."""
        return obstacle_to_next(position.cells, position.size, square, error, away=position.step)

    def score_note(self, position: Position, side: str) -> Text:  # noqa: ARG002 - there is only one
        """Return how often k fell back."""
        return ngettext("%(count)s reset", "%(count)s resets", position.resets)

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return the resets, and the last number, which is the score."""
        return ((_("Resets of k"), str(position.resets)), (_("Last number"), str(len(position.cells))))
