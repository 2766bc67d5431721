"""The boards that puzzles are solved on: those of lessons, and Golden Nugget's for a single board."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app.core.i18n.text import Text
from app.learn.lessons.boards import GameBoard, LessonBoard, NuggetBoard
from app.nugget.drawing import draw_live
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.up_and_up import UP_AND_UP


class OneBoard(NuggetBoard):
    """The board of Golden Nugget, for positions that are boards (see `engine.puzzles.rules`)."""

    def other_moves(self, position: Any) -> Sequence[tuple[str, Text]]:  # noqa: ARG002 - there are none
        """Return nothing: all moves are forces."""
        return ()

    def draw(self, position: Any, *, last_move: str | None, playable: bool) -> Markup:  # noqa: ARG002 - always
        """Draw a board with its forces."""
        return draw_live(position)


BOARDS: Mapping[str, LessonBoard] = {
    "jadejack": GameBoard(JADEJACK),
    "golden_nugget": OneBoard(),
    "jumping_farther": GameBoard(JUMPING_FARTHER),
    "up_and_up": GameBoard(UP_AND_UP),
}
"""The board of each game, by the key of the game."""
