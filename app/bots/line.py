"""The line of moves that the analysis board shows, read from its address and written into it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.errors import InvalidError, NotFoundError
from app.games.decisions import invalid_move
from app.i18n.text import _, ngettext
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.registry import FOR_TWO

_MOST_MOVES = 800


@dataclass(frozen=True, slots=True)
class Line:
    """Moves from a game's first position, and the positions before, between and after them."""

    rules: Game[Any]
    options: dict[str, int]
    moves: tuple[str, ...]
    positions: tuple[Any, ...]

    @property
    def position(self) -> Any:
        """Return the position that the moves lead to."""
        return self.positions[-1]

    def path(self, moves: tuple[str, ...]) -> str:
        """Return the address of the analysis board after other moves on the same board."""
        return f"/analysis/{self.rules.key}?{self._query(moves)}"

    @property
    def evaluation_path(self) -> str:
        """Return the address of the evaluation of the position."""
        return f"/analysis/{self.rules.key}/evaluation?{self._query(self.moves)}"

    def played(self, move: str) -> "Line":
        """Return the line with one more move. Raise InvalidError `move_syntax` or `illegal_move`."""
        try:
            position = self.rules.play(self.position, move)
        except (MoveSyntaxError, IllegalMove) as error:
            raise invalid_move(error) from None
        return Line(self.rules, self.options, (*self.moves, move), (*self.positions, position))

    def _query(self, moves: tuple[str, ...]) -> str:
        return urlencode({**self.options, "moves": ",".join(moves)}, safe=",")


def read(game: str, fields: Mapping[str, str], moves: str) -> Line:
    """Return the line of an address.

    `fields` has the game's options by name, `moves` the moves separated by commas. Raise NotFoundError for an
    unknown game, InvalidError for options or moves that the rules do not allow.
    """
    if game not in FOR_TWO:
        raise NotFoundError("analysis board")
    rules = FOR_TWO[game]
    try:
        given = {name: int(fields[name]) for name in rules.options if name in fields}
        position = rules.initial(given)
    except ValueError:
        raise InvalidError("bad_options", _("There is no such board. Choose one from the rules.")) from None
    options = {name: given.get(name, allowed.default) for name, allowed in rules.options.items()}
    texts = list(filter(None, moves.split(",")))
    if len(texts) > _MOST_MOVES:
        raise InvalidError(
            "too_many_moves",
            ngettext(
                "A line has %(count)s move at most.", "A line has %(count)s moves at most.", _MOST_MOVES
            ),
        )
    line = Line(rules, options, (), (position,))
    for text in texts:
        line = line.played(text)
    return line
