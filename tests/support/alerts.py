"""What the header of every page shows a logged-in person, as it is pushed to the page."""

import contextlib

from websockets.sync.client import connect

from tests.support.waiting import WITHIN


@contextlib.contextmanager
def alerts(visitor):
    """Yield a function that returns the next update of the header of a visitor's page."""
    server = visitor.server
    cookie = {"Cookie": f"gorrion={visitor.http.cookies['gorrion']}"}
    with connect(f"{server.ws_url}/account/live", origin=server.url, additional_headers=cookie) as socket:

        def following():
            while "heartbeat" in (update := socket.recv(WITHIN)):
                pass
            return update

        yield following
