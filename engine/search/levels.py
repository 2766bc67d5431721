"""The levels of the computer players, and how strong they are.

How each of them plays, its `Skill`, is in the `player.py` of its game.
"""

from collections.abc import Mapping, Sequence

LEVELS = range(1, 11)
"""From a beginner to the strongest player."""

_STRENGTHS: Mapping[str, Sequence[int]] = {
    "jadejack": (900, 1070, 1240, 1410, 1540, 1690, 1850, 2020, 2190, 2350),
    "jumping_farther": (870, 980, 1110, 1270, 1390, 1530, 1650, 1770, 1950, 2070),
}
"""The strength of each level by game: 1000 is a player that takes the most points each turn.

With 100 more a level wins 64 of 100 games, with 200 more 76. They come from matches between neighbouring
levels (`benchmarks/levels.py`), and say nothing about the ratings of people.
"""

BEST = LEVELS[-1]
USUAL = 3
"""The level that is preselected."""


def strength_of(game: str, level: int) -> int | None:
    """Return the strength of a level at a game for two, or None where all levels are alike."""
    return _STRENGTHS[game][level - LEVELS[0]] if game in _STRENGTHS else None
