"""The event stream of a program."""

import threading

from msgspec import json

from tests.support import plain_http
from tests.support.waiting import WITHIN


class Follower:
    """A program's event stream, read in another thread."""

    def __init__(self, program):
        self.program = program
        self.events = []
        self.changed = threading.Condition()
        self.started = threading.Event()
        self.over = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()
        assert self.started.wait(WITHIN)  # a heartbeat is sent every 20 seconds

    def _follow(self):
        url = f"{self.program.server.url}/api/v1/events"
        with (
            plain_http.Client(timeout=WITHIN) as client,
            client.stream("GET", url, headers=dict(self.program.http.headers)) as stream,
        ):
            for line in stream.iter_lines():
                self.started.set()
                if self.over.is_set():
                    return
                if line:
                    with self.changed:
                        self.events.append(json.decode(line))
                        self.changed.notify_all()

    def wait_for(self, kind, count=1):
        def enough():
            return sum(event["type"] == kind for event in self.events) >= count

        with self.changed:
            assert self.changed.wait_for(enough, timeout=WITHIN), (kind, self.events)
            return [event for event in self.events if event["type"] == kind][count - 1]
