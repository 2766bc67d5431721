"""Waiting for what another process does."""

import time

_PAUSE = 0.01  # seconds


def wait_until(condition, within=20):
    """Return the first true value of a condition. Fails after `within` seconds."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        assert time.monotonic() < deadline, f"nothing happened within {within} seconds"
        time.sleep(_PAUSE)
    return value
