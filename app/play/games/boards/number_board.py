"""What the boards of the number games have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from app.play.games.boards import numbers, numbers_picture
from app.play.games.boards.frame import size_text
from app.play.games.boards.numbers import Grid
from app.play.games.views import BoardAction, MoveKind
from engine.game import Game


class NumberBoard(ABC):
    """Draws a number game for the registry of boards: the game says what its grid shows."""

    switches: Sequence[tuple[str, Text]] = (("hide-trail", _("Hide the trail")),)
    figure_positions: Mapping[str, tuple[str, bool]]
    """The example boards of the rules page: a position string, and whether to mark the legal moves."""

    def __init__(self, rules: Game[Any]) -> None:
        self._rules = rules

    @abstractmethod
    def grid(self, position: Any, *, playable: bool) -> Grid:
        """Return what to draw of a position; the squares within reach only if asked for."""

    def size_text(self, options: Mapping[str, int]) -> Text:
        """Return how large the board is: "8×8"."""
        return size_text(options["size"])

    def draw(
        self,
        position: Any,
        *,
        last_move: str | None,  # noqa: ARG002 - it is the last number
        playable: bool,
        finished: bool,  # noqa: ARG002 - there is no territory
        live: bool,
    ) -> Markup:
        """Draw a position; see the protocol."""
        return numbers.draw(self.grid(position, playable=playable), live=live)

    def picture(self, position: Any, last_move: str | None) -> str:  # noqa: ARG002 - it is the last number
        """Draw a position as an SVG document of its own."""
        return numbers_picture.picture(self.grid(position, playable=False), self._rules.title)

    def actions(self, position: Any) -> Sequence[BoardAction]:  # noqa: ARG002 - there are only squares
        """Return none: every move is a square."""
        return ()

    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean."""
        return numbers.legend(current())

    def kinds(self, position: Any, moves: Sequence[str]) -> list[MoveKind]:  # noqa: ARG002 - all are alike
        """Return the kind of each of the moves: they have only one."""
        return [MoveKind.PLAIN] * len(moves)

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:  # noqa: ARG002 - all moves are alike
        """Return a move in words: its square."""
        return Text(move)

    def figures(self) -> Mapping[str, Markup]:
        """Return the example boards of the rules page."""
        return {
            name: numbers.draw(self.grid(self._rules.parse(position), playable=playable), live=False)
            for name, (position, playable) in self.figure_positions.items()
        }
