"""Waiting for what another process does."""

import time

WITHIN = 60
"""Seconds in which anything that a test waits for happens, even on a machine that stalls."""
_SHORTEST_PAUSE = 0.01  # seconds
_LONGEST_PAUSE = 0.25


def wait_until(condition, within=WITHIN, pause=_SHORTEST_PAUSE):
    """Return the first true value of a condition within so many seconds.

    It is asked again after a tenth of the time that has passed, so that long waits cost few requests, and
    after `pause` seconds at the soonest.
    """
    since = time.monotonic()
    while not (value := condition()):
        waited = time.monotonic() - since
        assert waited < within, f"nothing happened within {within} seconds"
        time.sleep(max(pause, min(waited / 10, _LONGEST_PAUSE)))
    return value


def wait_for_event(page, condition):
    """Return the first true value of a condition that handlers of a page's events make true.

    Playwright calls handlers only while it is called itself, which the script `0` does.
    """

    def happened():
        page.evaluate("0")
        return condition()

    return wait_until(happened)
