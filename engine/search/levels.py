"""The levels of the computer players."""

LEVELS = range(1, 9)
"""From a kind beginner to the best that there is."""

BEST = LEVELS[-1]
USUAL = 3
"""What is proposed to somebody who has not chosen."""
