"""Ending the connections whose session or token is no longer valid."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass, field

import structlog

from app.core.database.session import Database, is_unavailable
from app.core.errors import UnauthenticatedError, UnavailableError
from app.live.connections import UNAUTHENTICATED, Connection
from app.people.identity import service

log = structlog.get_logger()

_TRUSTED_FOR = 1.0  # seconds after a look
_RENEWED_AFTER = 0.5  # seconds after a look, while its owner is playing
_PLAYING_FOR = 10.0  # seconds after a move
_PAUSE = 0.05  # seconds between two rounds of renewals


@dataclass(frozen=True, slots=True)
class _Look:
    """The connections whose proofs a query looks up, and a future that is done with it or has its error."""

    answered: "asyncio.Future[None]"
    connections: set[Connection] = field(default_factory=set)


class Proofs:
    """Looks up the sessions and tokens of connections, with one query for all who ask at the same time.

    A connection ends only when its proof was looked up and is gone; while PostgreSQL is away, it stays. The
    proofs of those who play are looked up again and again, so that no move has to wait for it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next: _Look | None = None
        self._under_way: _Look | None = None
        self._task: asyncio.Task[None] | None = None
        self._playing: dict[Connection, float] = {}  # with the moment of the last move
        self._renewing: asyncio.Task[None] | None = None

    def look(self, connection: Connection) -> "asyncio.Future[None]":
        """Look up a connection's proof now or soon. Return a future that is done then, or has the error."""
        if self._under_way is not None and connection in self._under_way.connections:
            return self._under_way.answered
        if self._next is None:
            self._next = _Look(asyncio.get_running_loop().create_future())
            self._next.answered.add_done_callback(_retrieve)
        self._next.connections.add(connection)
        if self._task is None:
            self._task = asyncio.create_task(self._look())
        return self._next.answered

    def is_confirmed(self, connection: Connection) -> bool:
        """Return whether a connection is open, and its proof was valid a moment ago. Its owner is playing."""
        self._playing[connection] = moment = time.monotonic()
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        return not connection.is_ended and moment - connection.confirmed_at <= _TRUSTED_FOR

    async def confirm(self, connection: Connection) -> None:
        """Return if a connection's proof was valid a moment ago.

        Raise UnauthenticatedError if it is not, UnavailableError if the connection is ending for another
        reason, or an error of the database.
        """
        if self.is_confirmed(connection):
            return
        moment = time.monotonic()
        while moment - connection.confirmed_at > _TRUSTED_FOR and not connection.is_ended:
            await asyncio.shield(self.look(connection))
        if connection.is_revoked:
            raise UnauthenticatedError
        if connection.is_ended:
            raise UnavailableError

    async def _renew(self) -> None:
        """Look up the proofs of those who are playing, until nobody is."""
        try:
            while self._playing:
                await asyncio.sleep(_PAUSE)
                moment = time.monotonic()
                for connection, played_at in list(self._playing.items()):
                    if connection.is_ended or moment - played_at > _PLAYING_FOR:
                        del self._playing[connection]
                    elif moment - connection.confirmed_at > _RENEWED_AFTER:
                        self.look(connection)
        finally:
            self._renewing = None

    async def _look(self) -> None:
        try:
            while self._next is not None:
                look, self._next = self._next, None
                self._under_way = look
                try:
                    await self._look_up(look.connections)
                except Exception as error:  # noqa: BLE001 - who waits for the answer receives the error
                    look.answered.set_exception(error)
                else:
                    look.answered.set_result(None)
        finally:
            self._under_way = self._task = None

    async def _look_up(self, connections: Collection[Connection]) -> None:
        asked_at = time.monotonic()
        identities = (connection.identity for connection in connections)
        proofs = {identity.proof for identity in identities if identity is not None}
        valid = await service.valid_proofs(self._database, proofs)
        for connection in connections:
            if connection.identity is None or connection.identity.proof in valid:
                connection.confirmed_at = asked_at
            else:
                connection.is_revoked = True
                connection.end(UNAUTHENTICATED)


def _retrieve(future: "asyncio.Future[None]") -> None:
    """Take the error of a look that nobody waited for: the next heartbeat looks again."""
    error = None if future.cancelled() else future.exception()
    if isinstance(error, Exception) and not is_unavailable(error):
        log.error("proofs_failed", exc_info=error)
