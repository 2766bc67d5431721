"""The frames that clients send: which ones cost something, and the short way for those that are a move."""

import time
from collections.abc import Generator

from websockets.exceptions import ProtocolError
from websockets.frames import CloseCode, Frame, Opcode, apply_mask  # type: ignore[attr-defined] # the compiled one
from websockets.http11 import Response
from websockets.protocol import Protocol, State
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from app.core import metrics
from app.live.bounds import Allowance

_A_SECOND = 100  # what frames that bring no message may cost in a second
_WITHOUT_DATA = 10
_FRAGMENT = 1

# A frame begins with a byte for its kind, and one with a bit for "masked" and seven for the size of its data.
_WHOLE_TEXT = 0x81
_MASKED = 0x80
_SHORTEST, _LONGEST = 1, 125  # bytes of data whose size is in these seven bits
_HEADER = 6  # bytes, with the mask
_OPEN = State.OPEN  # looking into an enumeration takes as long as the rest
_EMPTY_PONG = b"\x8a\x80"  # and the mask


class Frames(ServerProtocol):
    """A connection's frames. Those that bring no message are limited: each costs more than it carries."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._allowance = Allowance(_A_SECOND)
        self._since = 0.0
        self._is_within_frame = False

    @property
    def is_between_messages(self) -> bool:
        """Return whether what comes next is the beginning of a message."""
        return self.state is _OPEN and self.current_size is None and not self._is_within_frame

    def receive_data(self, data: bytes | bytearray) -> None:
        """Parse what was received."""
        self._is_within_frame = True
        super().receive_data(data)

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
        self._is_within_frame = bool(self.reader.buffer)
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


def short_text(data: bytes) -> bytes | None:
    """Return the text in data that is nothing but a short, masked text frame and a whole message, else None.

    That is what a move is. The parser of websockets takes ten times as long for it.
    """
    size = len(data) - _HEADER
    if not _SHORTEST <= size <= _LONGEST or data[0] != _WHOLE_TEXT or data[1] != _MASKED | size:
        return None
    return apply_mask(data[_HEADER:], data[_HEADER - 4 : _HEADER])


def is_empty_pong(data: bytes) -> bool:
    """Return whether data is nothing but the pong with which browsers answer a ping without data."""
    return len(data) == _HEADER and data.startswith(_EMPTY_PONG)
