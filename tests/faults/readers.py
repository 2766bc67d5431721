"""Open readers of all kinds: pages, sockets of programs and event streams, on several servers."""

import contextlib
import threading
import time
from functools import partial

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.support import plain_http
from tests.support.players import Visitor
from tests.support.waiting import WITHIN


class Reader:
    """What a live connection was sent since it was opened, read in another thread until it is closed."""

    def __init__(self, name, read):
        self.name = name
        self._read = read
        self._heard = []
        self._changed = threading.Condition()
        self._close = None
        self._is_open = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()
        assert self._is_open.wait(WITHIN)

    def forget(self):
        """Forget what was heard so far."""
        with self._changed:
            self._heard.clear()

    def wait_for(self, text, within):
        """Wait for a message with a text in it, and return when it came by the monotonic clock."""

        def found():
            return next((at for at, message in self._heard if text in message), None)

        with self._changed:
            at = self._changed.wait_for(found, within)
            assert at, (self.name, text, [message for _, message in self._heard])
            return at

    def close(self):
        self._close()

    def _run(self):
        for message in self._read(self):
            with self._changed:
                self._heard.append((time.monotonic(), message))
                self._changed.notify_all()

    def opened(self, close):
        """Note that the connection is open, and how it is closed."""
        self._close = close
        self._is_open.set()


def page(server, path, program=None):
    """Return the reader of a page, of a program's account if it has one."""
    headers = {}
    if program is not None:
        visitor = Visitor(server).log_in(program.username)
        headers["Cookie"] = "; ".join(f"{each.name}={each.value}" for each in visitor.http.cookies.jar)
    return Reader(f"page {path}", partial(_messages, f"{server.ws_url}{path}", headers, server.url))


def socket(server, path, program):
    """Return the reader of a program's websocket."""
    headers = {"Authorization": f"Bearer {program.token}"}
    return Reader(f"socket {path}", partial(_messages, f"{server.ws_url}/api/v1{path}", headers, None))


def events(server, program):
    """Return the reader of a program's event stream."""
    return Reader("event stream", partial(_lines, f"{server.url}/api/v1/events", program.token))


def _messages(url, headers, origin, reader):
    with connect(url, origin=origin, additional_headers=headers, open_timeout=WITHIN) as connection:
        reader.opened(connection.close)
        try:
            yield from connection
        except ConnectionClosed:
            return


def _lines(url, token, reader):
    with (
        contextlib.suppress(httpx.TransportError, httpx.StreamError, OSError),
        plain_http.Client(timeout=None) as client,
        client.stream("GET", url, headers={"Authorization": f"Bearer {token}"}) as stream,
    ):
        reader.opened(client.close)
        yield from stream.iter_lines()
