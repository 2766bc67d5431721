"""The levels of the computer players, and how strong they are.

How each of them plays, its `Skill`, is in the `player.py` of its game.
"""

from collections.abc import Mapping, Sequence

LEVELS = range(1, 11)
"""From a beginner to the strongest player."""

_STRENGTHS: Mapping[str, Sequence[int]] = {
    "jadejack": (890, 1100, 1280, 1460, 1650, 1830, 1990, 2180, 2380, 2500),
    "jumping_farther": (860, 950, 1100, 1290, 1430, 1580, 1750, 1870, 2000, 2120),
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
