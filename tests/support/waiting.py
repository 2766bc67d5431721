"""Waiting for what another process does."""

import time

WITHIN = 60
"""Seconds in which anything that a test waits for happens, even on a machine that stalls."""
_PAUSE = 0.01  # seconds


def wait_until(condition, within=WITHIN, pause=_PAUSE):
    """Return the first true value of a condition, asked every `pause` seconds, for `within` seconds."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        assert time.monotonic() < deadline, f"nothing happened within {within} seconds"
        time.sleep(pause)
    return value
