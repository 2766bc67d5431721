"""Open pages with a chat: what they show is compared with what a reload would show."""

import contextlib
import re

_ON_PAGE = re.compile(r'<div id="chat-rooms"[^>]*>(.*?)</div>', re.DOTALL)
_KEY = re.compile(r'<input type="hidden" name="once"[^>]*>')  # of a form, which scripts add to what is pushed
_PUSHED = re.compile(r'<hx-partial hx-target="#chat-rooms"[^>]*>(.*?)</hx-partial>', re.DOTALL)


class OpenRooms:
    """The rooms of a page that a visitor has opened, drawn again by its live connection."""

    def __init__(self, visitor, path, socket):
        self._visitor, self._path, self._socket = visitor, path, socket
        self.shown = self._after_a_reload()

    def is_as_after_a_reload(self):
        """Receive what was pushed, and return whether it says what a new page says."""
        with contextlib.suppress(TimeoutError):
            while True:
                for rooms in _PUSHED.findall(self._socket.recv(0.2)):
                    self.shown = _words(rooms)
        return self.shown == self._after_a_reload()

    def _after_a_reload(self):
        return _words(_ON_PAGE.search(self._visitor.http.get(self._path).text)[1])


def _words(html):
    return " ".join(_KEY.sub("", html).split())
