"""What is only thought, over the squares of a board: moves, what they are worth, expected territory."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from app.play.games.boards.board import Board
from engine import squares
from engine.game import Game

_SQUARE = 40  # units


def layer(size: int, parts: Sequence[str]) -> Markup:
    """Return an image over all squares of a board."""
    whole = _SQUARE * size
    image = f'<svg viewBox="0 0 {whole} {whole}" aria-hidden="true">{"".join(parts)}</svg>'
    return Markup(image)  # noqa: S704 - our own strings


def line(rules: Game[Any], board: Board, position: Any, moves: Sequence[str]) -> str:
    """Return the moves of a line as ghosts, numbered where the board has no numbers of its own."""
    parts = []
    size = rules.options_of(position)["size"]
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, move in enumerate(moves, 1):
        numbers[move].append(number)
    for number, move in enumerate(moves, 1):
        if move in squares.indices(size):
            # The last move to a square has the numbers of those below it, too.
            label = "·".join(map(str, numbers[move])) if number == numbers[move][-1] else ""
            parts.append(_on(move, size, board.ghost(position, move, label)))
        position = rules.play(position, move)
    return "".join(parts)


def value(move: str, size: int, text: str, rank: int = 1) -> str:
    """Return what a move of a rank is worth, at the foot of its square; nothing if the move is no square."""
    if move not in squares.indices(size):
        return ""
    drawn = f'<rect x="3" y="26" width="34" height="13" rx="2"/><text x="20" y="36">{text}</text>'
    return f'<g class="ghost-value ghost-rank-{rank}" data-rank="{rank}">{_on(move, size, drawn)}</g>'


def territory(expected: Sequence[float], size: int) -> str:
    """Return a tint for each square that is expected to bring points, the more the stronger."""
    tints = []
    for name, points in zip(squares.names(size), expected, strict=True):
        strength = min(round(abs(points) * 4), 4)
        if strength:
            side = "first" if points > 0 else "second"
            rect = f'<rect class="ghost-{side} ghost-{strength}" width="{_SQUARE}" height="{_SQUARE}"/>'
            tints.append(_on(name, size, rect))
    return f'<g class="ghost-territory">{"".join(tints)}</g>'


def _on(name: str, size: int, drawn: str) -> str:
    """Return something that is drawn in a square, moved to the place of one."""
    row, column = divmod(squares.locate(name, size), size)
    return f'<g transform="translate({_SQUARE * column} {_SQUARE * (size - 1 - row)})">{drawn}</g>'
