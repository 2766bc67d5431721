"""Canonical forms: positions that the rules cannot tell apart, and whether play leads from one to another.

Each game says in `canonical_form` what decides the continuation. Laid out as rows of cells, it is the same
for boards that are turned or mirrored, and for boards that differ only in their margin.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

DEAD = "#"
"""The cell of a square that can never change or be played on: it is like a square off the board."""

Rows = tuple[tuple[str, ...], ...]


class CanonicalRules(Protocol):
    """The part of `engine.game.Game` by which positions are compared. Golden Nugget has it too."""

    def play(self, position: Any, move: str) -> Any:
        """Return the position after a move."""

    def canonical_form(self, position: Any) -> Rows:
        """Return what decides the continuation."""

    def moves_towards(self, position: Any, targets: Sequence[Any], plies: int) -> Mapping[str, Sequence[Any]]:
        """Return the legal moves that may lead to targets within some plies, each with these targets."""


def least_image(rows: Iterable[Sequence[str]]) -> Rows:
    """Return rows without their dead margin, laid in the one of eight ways whose cells are the least."""
    return min(images(_without_margin(_without_margin(rows))))


def images(rows: Sequence[Sequence[str]]) -> Iterator[Rows]:
    """Yield rows as they are when the board is turned and mirrored."""
    image = tuple(map(tuple, rows))
    for _each in range(4):
        image = tuple(zip(*image[::-1], strict=True))
        yield image
        yield image[::-1]


def leads_to(rules: CanonicalRules, start: Any, targets: Mapping[Rows, Any], plies: int) -> bool:
    """Return whether at most that many moves lead from a position to one of the targets, listed by form.

    Each target is compared only with the positions that may lead to it, and each position is looked at once.
    """
    ahead: dict[Any, Sequence[Any]] = {start: [*targets.values()]} if targets else {}
    seen = set(ahead)
    for left in range(plies, -1, -1):
        if any(rules.canonical_form(position) in targets for position in ahead):
            return True
        following: dict[Any, Sequence[Any]] = {}
        if left:
            for position, near in ahead.items():
                for move, towards in rules.moves_towards(position, near, left).items():
                    following.setdefault(rules.play(position, move), towards)
        ahead = {position: near for position, near in following.items() if position not in seen}
        seen.update(ahead)
    return False


def _without_margin(rows: Iterable[Sequence[str]]) -> Rows:
    """Return rows without the dead ones at the top and the bottom, turned by a quarter."""
    kept = list(rows)
    while kept and all(cell == DEAD for cell in kept[-1]):
        kept.pop()
    kept.reverse()
    while kept and all(cell == DEAD for cell in kept[-1]):
        kept.pop()
    return tuple(zip(*kept, strict=True))
