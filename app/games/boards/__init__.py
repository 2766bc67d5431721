"""The boards: how a position of each game is drawn and told in words. The only place that lists them."""

from collections.abc import Mapping
from typing import Any, Protocol

from markupsafe import Markup

from app.games.boards.jadejack import JADEJACK_BOARD
from app.games.views import BoardAction


class Board(Protocol):
    """What pages need to know of a game beyond its rules."""

    score_notes: Mapping[str, str]
    """A remark on each side's score ("with 1.5 komi"), or ""."""

    def size_text(self, options: Mapping[str, int]) -> str:
        """Say how large the board is: "9×9"."""

    def draw(
        self, position: Any, *, last_move: str | None, playable: bool, finished: bool, live: bool
    ) -> Markup:
        """Draw a position.

        `playable`: mark the squares where the side to move may play. `finished`: mark the territory. `live`:
        the board of the game page, with buttons and element ids; otherwise a picture of a position.
        """

    def picture(self, position: Any, last_move: str | None) -> str:
        """Draw a position as an SVG document that stands alone."""

    def actions(self, position: Any) -> tuple[BoardAction, ...]:
        """Give the legal moves that are no squares of the board."""

    def describe(self, move: str, side: str, *, automatic: bool) -> str:
        """Say a move in words: "White passes", "Black e5"."""

    def count_rows(self, position: Any) -> tuple[tuple[str, str, str], ...]:
        """Give the final count: label, first side's figure, second side's figure."""


BOARDS: Mapping[str, Board] = {"jadejack": JADEJACK_BOARD}
