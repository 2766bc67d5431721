"""Changed conversations on the raw socket: `python -m tests.security.fuzz --minutes 60`.

After each of them an honest handshake and an honest request must be answered. At the end the server has
logged no error, and its web processes have grown hardly more than those of a server that nobody uses: both
keep statements, and what their schedules load when they run first.
"""

import argparse
import contextlib
import random
import socket
import statistics
import struct
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

from benchmarks.serving import serving, web_processes
from tests.security.conversations import conversation, opening
from tests.support.waiting import wait_until

ANSWERED_WITHIN = 5
"""Seconds; on a machine with nothing else to do, an answer takes milliseconds."""
MOST_GROWTH = 5
"""Megabytes that a web process may grow, beyond one that nobody uses, after both have warmed up."""

_REQUEST = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
_KEPT = 100  # connections that stay open silently
_GONE_WITHIN = 60  # seconds until all that a client leaves behind has ended
_RESET = struct.pack("ii", 1, 0)


class Fuzzer:
    """Has conversations with a server and checks what becomes of it."""

    def __init__(self, server, seed):
        self._server = server
        self._seed = seed
        self._kept = deque(maxlen=_KEPT)
        self.count = 0
        self.slowest = 0.0

    def run(self, seconds):
        """Have conversations for so long. Raise AssertionError, which names the conversation."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.count += 1
            seed = f"{self._seed}/{self.count}"
            self._talk(random.Random(seed), conversation(seed))
            self._check(opening("/lobby/live", random.Random(seed)), b"HTTP/1.1 101 ", seed)
            self._check(_REQUEST, b"HTTP/1.1 200 ", seed)

    def excess(self, unused):
        """Return by how many megabytes its processes are larger than others, after all connections ended."""
        for connection in self._kept:
            connection.close()
        self._kept.clear()
        processes = web_processes(self._server)
        wait_until(lambda: not any(map(_connections, processes)), within=_GONE_WITHIN)
        time.sleep(0.5)  # what was freed is given back
        return _megabytes(self._server) - _megabytes(unused)

    def _talk(self, rng, pieces):
        connection = self._connect()
        with contextlib.suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
                connection.settimeout(rng.choice((0.001, 0.02)))
                with contextlib.suppress(TimeoutError):
                    connection.recv(65536)
                connection.settimeout(ANSWERED_WITHIN)
        match rng.choice(("stay", "stay", "close", "reset", "half-close")):
            case "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            case "half-close":
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_WR)
                self._keep(connection)
                return
            case "stay":
                self._keep(connection)
                return
        connection.close()

    def _keep(self, connection):
        if len(self._kept) == _KEPT:
            self._kept[0].close()
        self._kept.append(connection)

    def _check(self, request, answer, seed):
        since = time.monotonic()
        with self._connect() as connection:
            try:
                connection.sendall(request)
                received = connection.recv(100)
            except OSError as error:
                received = repr(error).encode()
        self.slowest = max(self.slowest, time.monotonic() - since)
        assert received.startswith(answer), f"after conversation {seed}: {received!r}"

    def _connect(self):
        return socket.create_connection(("127.0.0.1", self._server.port), ANSWERED_WITHIN)


def _connections(process):
    return [
        connection
        for connection in process.net_connections("tcp")
        if connection.status not in ("LISTEN", "NONE") and connection.laddr and connection.raddr
    ]


def _megabytes(server):
    """Return the memory of a web process: the mean, since each schedule runs first in any one of them."""
    return statistics.mean(process.memory_info().rss for process in web_processes(server)) / 2**20


def errors(log):
    """Return what a server has logged as an error, but for a process that had to wait for a busy machine."""
    lines = [line for line in log.read_text().splitlines() if "silent for too long" not in line]
    return [line for line in lines if '"level": "error"' in line or "Traceback" in line]


def fuzz(server, unused, seed, warm_up, seconds):
    """Fuzz a server, and compare its growth with that of an unused one.

    Return how many conversations it had, the slowest answer in seconds, and by how many megabytes more its
    processes grew.
    """
    fuzzer = Fuzzer(server, seed)
    fuzzer.run(warm_up)
    before = fuzzer.excess(unused)
    fuzzer.run(seconds)
    growth = fuzzer.excess(unused) - before
    assert growth < MOST_GROWTH, f"seed {seed}: grew by {growth:.1f} MB"
    assert not (logged := errors(server.log)), f"seed {seed}: " + "\n".join(logged[:3])
    return fuzzer.count, fuzzer.slowest, growth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1, help="web processes")
    parser.add_argument("--seed", type=int, default=time.time_ns())
    arguments = parser.parse_args()
    sys.stdout.write(f"seed {arguments.seed}\n")
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(workers=arguments.workers, log=Path(folder) / "log") as (server, _),
        serving(workers=arguments.workers) as (unused, _),
    ):
        seconds = 60 * arguments.minutes
        count, slowest, growth = fuzz(server, unused, arguments.seed, seconds / 4, seconds * 3 / 4)
    sys.stdout.write(f"{count} conversations, slowest answer {slowest:.2f} s, {growth:+.1f} MB\n")


if __name__ == "__main__":
    main()
