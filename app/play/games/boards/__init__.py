"""The boards: how a position of each game is drawn and described. The only place that lists them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup

from app.core.i18n.text import Text
from app.play.games.boards.jadejack import JADEJACK_BOARD
from app.play.games.boards.jumping_farther import JUMPING_BOARD, JUMPING_SOLITAIRE_BOARD
from app.play.games.boards.up_and_up import UP_AND_UP_BOARD
from app.play.games.views import BoardAction, MoveKind, Obstacle
from engine.game import Game, IllegalMove
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.up_and_up import UP_AND_UP


class Board(Protocol):
    """What pages need to know of a game beyond its rules."""

    summary: Text
    """How many may play the game, and what they do, for the list of rules; the same for one and for two."""

    switches: Sequence[tuple[str, Text]]
    """What a viewer may show or hide on the board: the id that style sheets use, and a label."""

    def size_text(self, options: Mapping[str, int]) -> Text:
        """Return how large the board is: "9×9"."""

    def draw(
        self, position: Any, *, last_move: str | None, playable: bool, finished: bool, live: bool
    ) -> Markup:
        """Draw a position.

        `playable`: mark the squares where the side to move may play. `finished`: mark the territory. `live`:
        the board of the game page, with buttons and element ids; otherwise a picture of a position.
        """

    def picture(self, position: Any, last_move: str | None) -> str:
        """Draw a position as an SVG document of its own."""

    def actions(self, position: Any) -> Sequence[BoardAction]:
        """Return the legal moves that are not squares of the board."""

    def note(self, position: Any) -> Text:
        """Return in words what the board cannot show about the next move, or an empty text."""

    def obstacle(self, position: Any, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
        """Return in words why a square is closed to the side to move; `is_yours`: which is the reader's."""

    def score_note(self, position: Any, side: str) -> Text:
        """Return a remark on a side's score ("incl. 1.5 komi"), or an empty text."""

    def kinds(self, position: Any, moves: Sequence[str]) -> list[MoveKind]:
        """Return the kind of each of the last moves that led to a position."""

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:
        """Return a move in words: "White passes", "Black hijacks e5"."""

    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean: a square that has one, and a sentence."""

    def figures(self) -> Mapping[str, Markup]:
        """Return the example boards of the rules page, by the names under which it places them."""

    def count_rows(self, position: Any) -> Sequence[tuple[str, ...]]:
        """Return the final count row by row: label, then a figure for each side."""


BOARDS: Mapping[Game[Any], Board] = {
    JADEJACK: JADEJACK_BOARD,
    JUMPING_FARTHER: JUMPING_BOARD,
    JUMPING_SOLITAIRE: JUMPING_SOLITAIRE_BOARD,
    UP_AND_UP: UP_AND_UP_BOARD,
}
"""The board of each game by its rules."""
