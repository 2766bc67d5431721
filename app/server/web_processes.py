"""The web processes of a server: uvicorn's, which end in time even if they hang."""

import threading
from collections.abc import Callable
from socket import socket

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from app.core import shutdown

_SPARED = 1.0  # seconds of the deadline that stay for stopping what the server has started besides


class WebProcesses(Multiprocess):
    """Web processes that go on serving for `drain` seconds when they are asked to end.

    `when_drained` is called then: what works for them may end, too.
    """

    def __init__(
        self, config: Config, sockets: list[socket], drain: float, when_drained: Callable[[], None]
    ) -> None:
        super().__init__(config, sockets)
        self._drain = drain
        self._when_drained = when_drained

    def terminate_all(self) -> None:
        """Ask all processes to end."""
        shutdown.begin(self._drain + shutdown.SERVER_WITHIN)
        drained = threading.Timer(self._drain, self._when_drained)
        drained.daemon = True
        drained.start()
        super().terminate_all()

    def join_all(self) -> None:
        """Wait for all processes, and end those that do not end by themselves."""
        for process in self.processes:
            process.process.join(shutdown.left() - _SPARED)
            process.kill()
        super().join_all()
