"""`websockets`' parser of frames, for connections whose handshake httptools has parsed."""

import time
from collections.abc import Generator

from websockets.exceptions import ProtocolError
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import Protocol
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from app.core import metrics
from app.live.bounds import Allowance

_A_SECOND = 100  # what frames that bring no message may cost in a second
_WITHOUT_DATA = 10
_FRAGMENT = 1


class Frames(ServerProtocol):
    """A connection's frames. Those that bring no message are limited: each costs more than it carries."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._allowance = Allowance(_A_SECOND)
        self._since = 0.0

    def parse(self) -> Generator[None]:
        """Parse nothing but frames: another parser of requests would refuse what httptools accepts."""
        return Protocol.parse(self)

    def reject(self, status: StatusLike, text: str) -> Response:
        """Return the refusal of a handshake, with the version that would be accepted (RFC 6455, 4.4)."""
        response = super().reject(status, text)
        response.headers["Sec-WebSocket-Version"] = "13"
        return response

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame; close the connection if there are too many that bring no message."""
        super().recv_frame(frame)
        if cost := _cost(frame):
            if time.monotonic() - self._since > 1:
                self._since = time.monotonic()
                self._allowance.renew()
            self._allowance.spend(cost)
            if self._allowance.left < 0 and self.parser_exc is None:
                metrics.DROPPED.labels("too_many_frames").inc()
                self.fail(CloseCode.POLICY_VIOLATION, "too many frames that bring no message")
                self.parser_exc = ProtocolError("too many frames that bring no message")


def _cost(frame: Frame) -> int:
    """Return what a frame costs: nothing if it ends a message, or is the whole of it."""
    if not frame.data or frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
        return _WITHOUT_DATA
    return 0 if frame.fin else _FRAGMENT
