"""A proxy between a server and PostgreSQL that loses the answer of one commit, and the server if wanted.

It reads PostgreSQL's protocol, version 3: each message is a letter, its length, and its body.
"""

import asyncio
import contextlib
import re
import threading

from tests.support.ports import free_port

_START_WITHIN = 10  # seconds
_CHANGES = re.compile(rb"\b(INSERT|UPDATE|DELETE|COPY)\b", re.IGNORECASE)


class CommitProxy:
    """A proxy to the PostgreSQL on a port of this machine. It passes everything on but in `losing`."""

    def __init__(self, target):
        self.port = free_port()
        # Without TLS, so that it can be read.
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/gorrion?sslmode=disable"
        self._target = target
        self._passed = None  # commits that are still answered before the one that is not
        self._has_lost = self._has_lost_changes = False
        self._kill = None
        self._loop = None
        self._closing = asyncio.Event()
        listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(listening)), daemon=True)
        self._thread.start()
        assert listening.wait(_START_WITHIN)

    @contextlib.contextmanager
    def losing(self, number, kill=lambda: None):
        """Lose the answer of the commit with a number, counted from 0, if there are so many in the block.

        `kill` is called when the commit is carried out.
        """
        self._passed, self._has_lost, self._has_lost_changes, self._kill = number, False, False, kill
        try:
            yield
        finally:
            self._passed = None

    @property
    def has_lost(self):
        """Return whether an answer was lost in the last block."""
        return self._has_lost

    @property
    def has_lost_changes(self):
        """Return whether an answer was lost in the last block to a commit that may have changed anything."""
        return self._has_lost_changes

    def close(self):
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    async def _serve(self, listening):
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._link, "127.0.0.1", self.port)
        listening.set()
        await self._closing.wait()
        server.close()

    def _is_to_be_lost(self):
        if self._passed is None:
            return False
        if self._passed:
            self._passed -= 1
            return False
        self._passed, self._has_lost = None, True
        return True

    async def _link(self, reader, writer):
        ends = [writer]
        try:
            with contextlib.suppress(OSError, EOFError, ExceptionGroup):
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._target)
                ends.append(server_writer)
                losing = asyncio.Event()
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._requests(reader, server_writer, losing))
                    tasks.create_task(self._answers(server_reader, writer, losing))
        finally:
            for end in ends:
                end.transport.abort()

    async def _requests(self, reader, server, losing):
        size = await reader.readexactly(4)
        server.write(size + await reader.readexactly(int.from_bytes(size) - 4))
        statements, commits, changes = {}, False, False
        while True:
            head = await reader.readexactly(5)
            body = await reader.readexactly(int.from_bytes(head[1:]) - 4)
            statement = _statement(head[:1], body, statements)
            commits = commits or _is_commit(statement)
            changes = changes or _CHANGES.search(statement) is not None
            if commits and head[:1] in b"QS":  # what was sent until now is carried out
                if self._is_to_be_lost():
                    self._has_lost_changes = changes
                    losing.set()
                commits = changes = False
            server.write(head + body)

    async def _answers(self, reader, writer, losing):
        while data := await reader.read(65536):
            if losing.is_set():
                self._kill()
                break
            writer.write(data)
        raise ConnectionResetError


def _statement(kind, body, statements):
    """Return the statement that a message carries out, if any. Keep the one that it prepares, by its name."""
    match kind:
        case b"P":
            name, text, _ = body.split(b"\0", 2)
            statements[name] = text
        case b"B":
            _, name, _ = body.split(b"\0", 2)
            return statements.get(name, b"")
        case b"Q":
            return body
    return b""


def _is_commit(statement):
    """Return whether a statement commits a command: by itself, or as the journal does with moves."""
    return statement.upper().startswith(b"COMMIT") or b"INSERT INTO moves" in statement
