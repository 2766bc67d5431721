"""The games that have puzzles: the rules of the registry, and those of one board of Golden Nugget."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any, Protocol

from engine.canonical import CanonicalRules, Rows, images
from engine.game import Game, MoveSyntaxError, Side, quoted
from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import (
    FORCES,
    Board,
    IllegalPush,
    Move,
    parse,
    push,
    pushes,
    solved,
    to_text,
)
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.symmetry import turns
from engine.up_and_up import UP_AND_UP


class PuzzleRules(CanonicalRules, Protocol):
    """What puzzles need to know of a game: the part of `engine.game.Game` that Golden Nugget has too."""

    key: str
    title: str
    sides: Sequence[Side]

    def parse(self, text: str) -> Any:
        """Return the position that a string describes. Raise MoveSyntaxError."""

    def format(self, position: Any) -> str:
        """Return the position as a string that `parse` accepts."""

    def play(self, position: Any, move: str) -> Any:
        """Return the position after a move. Raise MoveSyntaxError or IllegalMove."""

    def legal_moves(self, position: Any) -> list[str]:
        """Return all legal moves."""

    def side_to_move(self, position: Any) -> Side | None:
        """Return the side to move, or None if the game is over."""


class OneBoard:
    """One board of Golden Nugget. Its string is the face and the 49 blocks from the top left: `A:1,2,…`."""

    key = "golden_nugget"
    title = "Golden Nugget"
    sides: Sequence[Side] = (Side.SOLO,)

    def parse(self, text: str) -> Board:
        """Return the board that a string describes. Raise MoveSyntaxError."""
        return parse(text)

    def format(self, position: Board) -> str:
        """Return the string that `parse` accepts."""
        return to_text(position)

    def play(self, position: Board, move: str) -> Board:
        """Return the board after a push. Raise MoveSyntaxError for an unknown force, and IllegalPush."""
        if move not in FORCES:
            raise MoveSyntaxError(
                "%(text)s is not a force. The forces are 1 to 7 and A to U.", text=quoted(move)
            )
        if solved(position):
            raise IllegalPush("game_over", "The board is solved.")
        return push(position, move)[0]

    def legal_moves(self, position: Board) -> list[str]:
        """Return the forces that can push."""
        if solved(position):
            return []
        return [force for force, result in pushes(position).items() if isinstance(result, Move)]

    def side_to_move(self, position: Board) -> Side | None:
        """Return `Side.SOLO`, or None if the board is solved."""
        return None if solved(position) else Side.SOLO

    def canonical_form(self, position: Board) -> Rows:
        """Return which squares show the same colour: blocks and the names of colours make no difference."""
        if solved(position):
            return ()
        looks = [COLOURS[position.face].get(block, Colour.WHITE) for block in position.cells]
        rows = [looks[start : start + 7] for start in range(0, 49, 7)]
        return min(map(_with_colours_renamed, images(rows)))

    def moves_towards(
        self, position: Board, targets: Sequence[Board], plies: int
    ) -> Mapping[str, Sequence[Board]]:
        """Return all legal moves, each with the targets whose white squares differ on so few lines."""
        shown = _whites(position)
        near = [target for target in targets if _differ_on_lines(shown, _whites(target), plies)]
        return dict.fromkeys(self.legal_moves(position), near) if near else {}


def _whites(board: Board) -> bytes:
    """Return which squares show white, whatever the other colours are called."""
    return bytes(
        block not in COLOURS[board.face] or COLOURS[board.face][block] is Colour.WHITE
        for block in board.cells
    )


def _differ_on_lines(shown: bytes, wanted: bytes, most: int) -> bool:
    """Return whether squares differ on at most that many rows and columns, however the board is turned.

    A push changes squares of one line only.
    """
    number = int.from_bytes(shown)
    differing = [number ^ int.from_bytes(itemgetter(*turn.sources)(wanted)) for turn in turns(7)]
    return any(each & lines == each for lines in _unions(most) for each in differing)


@cache
def _unions(count: int) -> Sequence[int]:
    """Return the squares of each choice of so many lines as the bytes of a number."""
    lines = {frozenset(line) for line in FORCES.values()}
    return [
        int.from_bytes(bytes(any(square in line for line in chosen) for square in range(49)))
        for chosen in combinations(lines, count)
    ]


def _with_colours_renamed(rows: Rows) -> Rows:
    """Return rows in which the colours have the names of numbers, in the order in which they are met."""
    names: dict[str, str] = {Colour.WHITE: Colour.WHITE}
    return tuple(tuple(names.setdefault(look, str(len(names))) for look in row) for row in rows)


ONE_BOARD = OneBoard()

RULES: Mapping[str, PuzzleRules] = {
    rules.key: rules for rules in (JADEJACK, ONE_BOARD, JUMPING_FARTHER, UP_AND_UP)
}
"""The rules of each game that has puzzles, by the key of the game."""


def has_puzzles(rules: Game[Any]) -> bool:
    """Return whether puzzles are made of games by these rules: those for one or those for two, not both."""
    return rules in RULES.values()
