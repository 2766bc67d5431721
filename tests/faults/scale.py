"""How much the fault tests do: little with all other tests, more in `python -m tests.faults`."""

import os

VARIABLE = "GORRION_LONG_FAULTS"
"""The environment variable that asks for the long form."""
IS_LONG = VARIABLE in os.environ
TABLES = 40 if IS_LONG else 6
"""Games that are played at a time."""
THINKS = 0.2 if IS_LONG else 0.8
"""Seconds that a player thinks about a move at most."""
TIMES = 4 if IS_LONG else 1
"""How often a fault is repeated in one test."""
CUTS = 40 if IS_LONG else 6
"""How often connections are cut in one test."""
AWAY = 40 if IS_LONG else 22
"""Seconds without PostgreSQL, in which every connection has its heartbeat."""
