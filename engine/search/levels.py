"""The levels of the computer players."""

LEVELS = range(1, 9)
"""From a beginner to the strongest player."""

BEST = LEVELS[-1]
USUAL = 3
"""The level that is preselected."""
