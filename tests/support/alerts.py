"""What the header of every page shows a logged-in person, as it is pushed to the page."""

import contextlib
import time

from tests.support.waiting import WITHIN


@contextlib.contextmanager
def alerts(visitor):
    """Yield a function that returns the next update of the header of a visitor's page."""
    with visitor.live("/account/live") as socket:

        def following():
            until = time.monotonic() + WITHIN
            while "heartbeat" in (update := socket.recv(until - time.monotonic())):
                pass
            return update

        yield following
