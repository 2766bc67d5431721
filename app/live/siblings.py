"""The web processes of one server: one of them serves all sockets of a game, and works each move out once.

A process that accepts a socket of another one's game hands the connection over: it sends the file descriptor
and the request to the other's Unix socket. Any process can serve any game, and does if the other is away.
"""

import asyncio
import fcntl
import re
import socket
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from app.core.ids import PATTERN

_GAME = re.compile(rf"/(?:api/v1/)?games/({PATTERN})/".encode())
_LARGEST_REQUEST = 64 * 1024  # bytes; what is accepted of 32 KiB, however it was written
_ATTEMPTS = 20  # while the other process has many connections to take over
_PAUSE = 0.005  # seconds between them

MakeProtocol = Callable[[], asyncio.Protocol]


class Siblings:
    """The processes of one server as one of them knows them. They share an empty folder."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._count = count
        self._number: int | None = None
        self._lock: IO[bytes] | None = None
        self._inbox: socket.socket | None = None
        self._taking: set[asyncio.Task[None]] = set()

    def join(self, make_protocol: MakeProtocol) -> None:
        """Take over the connections of this process's games from now on, unless it does already.

        A process beyond `count`, which a signal can start, has no games of its own.
        """
        if self._lock is None and (number := self._claim()) is not None:
            self._number = number
            path = self._path(number)
            path.unlink(missing_ok=True)  # of a process that was killed
            self._inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._inbox.setblocking(False)
            self._inbox.bind(str(path))
            asyncio.get_running_loop().add_reader(self._inbox, self._receive, make_protocol)

    async def hand_over(self, connection: int, url: bytes, request: bytes) -> bool:
        """Send a connection, given by its file descriptor, to the process that serves its game.

        Return whether it was sent: not if that is this process, if the other one is away, or if the request
        is too large.
        """
        game = _GAME.match(url)
        if game is None or (owner := zlib.crc32(game[1]) % self._count) == self._number:
            return False
        if len(request) > _LARGEST_REQUEST:
            return False
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            for _ in range(_ATTEMPTS):
                try:
                    sender.connect(str(self._path(owner)))
                    socket.send_fds(sender, [request], [connection])
                except BlockingIOError:
                    await asyncio.sleep(_PAUSE)
                except OSError:
                    return False
                else:
                    return True
        return False

    def _claim(self) -> int | None:
        """Return a number that no living process has, and lock it until this process ends."""
        for number in range(self._count):
            lock = (self._folder / f"{number}.lock").open("wb")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
            else:
                self._lock = lock
                return number
        return None

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.socket"

    def _receive(self, make_protocol: MakeProtocol) -> None:
        assert self._inbox is not None
        request, descriptors, _flags, _address = socket.recv_fds(self._inbox, _LARGEST_REQUEST, 1)
        for descriptor in descriptors:  # none if this process has too many open files
            task = asyncio.create_task(_serve(socket.socket(fileno=descriptor), request, make_protocol))
            self._taking.add(task)
            task.add_done_callback(self._taking.discard)


async def _serve(connection: socket.socket, request: bytes, make_protocol: MakeProtocol) -> None:
    connection.setblocking(False)
    transport, protocol = await asyncio.get_running_loop().connect_accepted_socket(make_protocol, connection)
    if not transport.is_closing():
        protocol.data_received(request)
