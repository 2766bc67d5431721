"""Messages of live connections, encoded once for all receivers."""

from dataclasses import dataclass, field

import orjson

_TEXT = 0x81  # a final text frame (RFC 6455, section 5.2)


@dataclass(frozen=True, slots=True)
class Message:
    """A text in UTF-8, and the same text as a websocket frame."""

    text: bytes
    frame: bytes = field(init=False)

    def __post_init__(self) -> None:
        """Frame the text."""
        object.__setattr__(self, "frame", _frame(self.text))


def _frame(text: bytes) -> bytes:
    """Return an unmasked text frame, as servers send them."""
    size = len(text)
    if size < 126:
        return bytes((_TEXT, size)) + text
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + text
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + text


HEARTBEAT = Message(b'{"type":"heartbeat"}')
"""The heartbeat of a websocket, by which clients can tell a quiet connection from a dead one."""
EMPTY_LINE = Message(b"")
"""The heartbeat of a stream of lines."""


def restart(retry_after: float) -> Message:
    """Return the message that the server restarts and the client comes back after so many seconds."""
    return Message(orjson.dumps({"type": "restart", "retry_after": round(retry_after, 1)}))
