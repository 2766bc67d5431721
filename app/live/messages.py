"""Messages of live connections, encoded once for all receivers."""

from typing import Literal

from typing_extensions import TypedDict

from app.core import json

_TEXT = 0x81  # a final text frame (RFC 6455, section 5.2)


class Message:
    """A text in UTF-8, kept as an unmasked websocket frame, the form in which servers send most texts."""

    __slots__ = ("_header_size", "frame")

    def __init__(self, *parts: bytes) -> None:
        """Make the message from parts of its text."""
        text = b"".join(parts)
        header = _header(len(text))
        self._header_size = len(header)
        self.frame = header + text

    @property
    def text(self) -> bytes:
        """Return the text alone."""
        return self.frame[self._header_size :]


def _header(size: int) -> bytes:
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big")


class Heartbeat(TypedDict):
    """A sign that the connection is alive."""

    type: Literal["heartbeat"]


class Restart(TypedDict):
    """The server restarts: connect again after so many seconds."""

    type: Literal["restart"]
    retry_after: float


HEARTBEAT = Message(b'{"type":"heartbeat"}')
"""The heartbeat of a websocket, by which clients can tell a quiet connection from a dead one."""
PING = b"\x89\x00"
"""The frame of a ping without data."""
EMPTY_LINE = Message(b"")
"""The heartbeat of a stream of lines."""


def restart(retry_after: float) -> Message:
    """Return the message that the server restarts and the client comes back after so many seconds."""
    message: Restart = {"type": "restart", "retry_after": round(retry_after, 1)}
    return Message(json.encode(message))


def visit(path: str) -> Message:
    """Return the message that sends a page to another address."""
    return Message(json.encode({"visit": path}))
