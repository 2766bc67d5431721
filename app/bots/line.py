"""The line of moves that the analysis board shows, read from its address and written into it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from app.errors import InvalidError, NotFoundError
from app.games.decisions import invalid_move
from app.i18n.text import _, ngettext
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.registry import FOR_TWO

TURNING_POINT = "turn"
"""The `at` of an address that shows the line before its costliest move, or from its start."""

_MOST_MOVES = 800
_MOST_TURNING_POINTS = 3
_COSTLY = 3  # points


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that, with the reply to it, lost its side many points."""

    ply: int
    lost: float


@dataclass(frozen=True, slots=True)
class Line:
    """Moves from a game's first position, and the positions before, between and after them.

    `at` is the ply that is shown, the last one unless the reader stepped back.
    """

    rules: Game[Any]
    options: dict[str, int]
    moves: tuple[str, ...]
    positions: tuple[Any, ...]
    at: int

    @property
    def position(self) -> Any:
        """Return the position that is shown."""
        return self.positions[self.at]

    @property
    def before(self) -> tuple[str, ...]:
        """Return the moves that lead to the position that is shown."""
        return self.moves[: self.at]

    def path(self, moves: tuple[str, ...]) -> str:
        """Return the address of the analysis board after other moves on the same board."""
        return f"/analysis/{self.rules.key}?{self._query(moves)}"

    def path_at(self, ply: int) -> str:
        """Return the address of another ply of the line."""
        return f"{self.path(self.moves)}&at={ply}"

    @property
    def evaluation_path(self) -> str:
        """Return the address of the evaluation of the position."""
        return f"/analysis/{self.rules.key}/evaluation?{self._query(self.before)}"

    def shown_at(self, ply: int) -> "Line":
        """Return the line at another ply."""
        return replace(self, at=max(0, min(ply, len(self.moves))))

    def played(self, move: str) -> "Line":
        """Return the line with one more move in place of those that followed.

        Raise InvalidError `move_syntax` or `illegal_move`.
        """
        try:
            position = self.rules.play(self.position, move)
        except (MoveSyntaxError, IllegalMove) as error:
            raise invalid_move(error) from None
        positions = (*self.positions[: self.at + 1], position)
        return Line(self.rules, self.options, (*self.before, move), positions, self.at + 1)

    def turning_points(self) -> list[TurningPoint]:
        """Return the moves at which the score turned most against their side, the costliest first."""
        leads = [self._lead(position) for position in self.positions]
        losses = []
        for ply in range(1, len(self.moves)):
            change = leads[ply + 1] - leads[ply - 1]
            is_first = self.rules.mover(self.positions[-1], ply) == self.rules.sides[0]
            losses.append(TurningPoint(ply, -change if is_first else change))
        costly = [point for point in losses if point.lost >= _COSTLY]
        return sorted(costly, key=lambda point: -point.lost)[:_MOST_TURNING_POINTS]

    def _lead(self, position: Any) -> float:
        score = self.rules.score(position)
        return score[self.rules.sides[0]] - score[self.rules.sides[1]]

    def _query(self, moves: tuple[str, ...]) -> str:
        return urlencode({**self.options, "moves": ",".join(moves)}, safe=",")


def read(game: str, fields: Mapping[str, str], moves: str) -> Line:
    """Return the line of an address.

    `fields` has the game's options by name and the ply `at` which to show it, `moves` the moves separated by
    commas. Raise NotFoundError for an
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
    line = Line(rules, options, (), (position,), 0)
    for text in texts:
        line = line.played(text)
    if fields.get("at") == TURNING_POINT:
        first, *_others = [*line.turning_points(), TurningPoint(1, 0)]
        return line.shown_at(first.ply - 1)
    at = fields.get("at", "")
    return line.shown_at(int(at)) if at.isascii() and at.isdigit() and len(at) < 5 else line
