"""The boards that lessons are played on: those of the registry, and that of Golden Nugget."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Protocol

from markupsafe import Markup

from app.core.i18n.reasons import reason_of
from app.core.i18n.text import Text, _
from app.nugget.drawing import draw_live
from app.play.games.boards import BOARDS
from app.play.games.views import Obstacle
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.golden_nugget.board import FORCES, START
from engine.golden_nugget.play import Play


class LessonBoard(Protocol):
    """What lessons need to know of a game."""

    field: str
    """The name under which the board's buttons send a move."""

    def parse(self, text: str) -> Any:
        """Return the position that a string describes."""

    def play(self, position: Any, move: str) -> Any:
        """Return the position after a move. Raise MoveSyntaxError or IllegalMove."""

    def moves(self, position: Any) -> Sequence[str]:
        """Return all legal moves."""

    def other_moves(self, position: Any) -> Sequence[tuple[str, Text]]:
        """Return the moves that are not on the drawn board, with their labels."""

    def why_not(self, position: Any, move: str, error: IllegalMove) -> Obstacle:
        """Return in words why a move is not allowed."""

    def unknown(self, move: str) -> Text:
        """Return in words that a text is no move."""

    def draw(self, position: Any, *, last_move: str | None, playable: bool) -> Markup:
        """Draw a position, with buttons for the moves."""


class GameBoard:
    """The board of a game of the registry."""

    field = "move"

    def __init__(self, rules: Game[Any]) -> None:
        self.rules = rules
        self._board = BOARDS[rules]
        self.parse, self.play, self.moves = rules.parse, rules.play, rules.legal_moves

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
