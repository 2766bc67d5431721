"""Serving live connections: from accepting them to closing them with the right code."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import structlog
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.core import metrics
from app.core.database.session import Database, is_unavailable
from app.core.errors import AppError, ForbiddenError
from app.core.events import Event, Resync
from app.core.i18n.text import Text
from app.core.realtime.hub import TRY_AGAIN, Hub
from app.core.settings import Settings
from app.core.web.addresses import network_of
from app.core.web.errors import SocketClosed
from app.core.web.origin import check_same_origin, is_foreign
from app.live.connections import (
    INTERNAL_ERROR,
    NORMAL,
    UNAUTHENTICATED,
    Connection,
    Connections,
    Socket,
    Stream,
    close_code,
)
from app.live.proofs import Proofs
from app.live.protocol import protocol_of
from app.live.quota import Quota, TooManyConnectionsError
from app.people.identity.events import ProofRevoked, proof_topic
from app.people.identity.service import Identity
from app.people.identity.viewer import current_viewer, program_of

log = structlog.get_logger()

_MOST_OPENING = 4  # at a time, so that moves do not wait while thousands of sockets are opened
_CLOSE_WITHIN = 5.0  # seconds; a client that does not read never answers the close frame


class Live:
    """The live connections of one process."""

    def __init__(
        self, hub: Hub, database: Database, settings: Settings, of_accounts: Quota, of_addresses: Quota
    ) -> None:
        self.connections = Connections()
        self.proofs = Proofs(database)
        self._opening = asyncio.Semaphore(_MOST_OPENING)
        self._hub = hub
        self._database = database
        self._settings = settings
        self._of_accounts = of_accounts
        self._of_addresses = of_addresses

    def page(self, websocket: WebSocket) -> contextlib.AbstractAsyncContextManager[Socket]:
        """Serve the websocket of one of our pages; `identity` is the account that is logged in, or None.

        An AppError within the context closes the socket with its code; an outage of the database, with 1013.
        """

        async def identify() -> Identity | None:
            check_same_origin(websocket.headers, self._settings.public_url)
            return await current_viewer(websocket, self._settings, self._database)

        return self._open(websocket, "page", identify)

    def program(self, websocket: WebSocket) -> contextlib.AbstractAsyncContextManager[Socket]:
        """Serve the websocket of a program; `identity` is the account of its token, if it sent one."""

        async def identify() -> Identity | None:
            if is_foreign(websocket.headers, self._settings.public_url):
                raise ForbiddenError("cross_site", Text("This connection was opened by another site's page."))
            return await program_of(websocket, self._database)

        return self._open(websocket, "program", identify)

    async def stream(
        self,
        connection: HTTPConnection,
        identity: Identity | None,
        start: Callable[[Stream], None],
        present: contextlib.AbstractAsyncContextManager[None],
    ) -> StreamingResponse:
        """Return a response of JSON lines, which `start` begins to send. `present` is entered meanwhile.

        Raise TooManyConnectionsError.
        """
        stream = Stream(self._hub, identity)
        network = network_of(connection)
        await self._of_addresses.check(network)
        if identity is not None:
            await self._of_accounts.check(identity.id)

        async def lines() -> AsyncIterator[bytes]:
            with contextlib.suppress(TooManyConnectionsError):  # the last one allowed was opened meanwhile
                async with self._of_addresses.hold(network), present, self._keep(stream, "stream"):
                    start(stream)
                    async for line in stream.lines():
                        yield line

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    @contextlib.asynccontextmanager
    async def _open(
        self, websocket: WebSocket, kind: str, identify: Callable[[], Awaitable[Identity | None]]
    ) -> AsyncIterator[Socket]:
        # Pages retry a refused handshake forever, but they respect close codes.
        await websocket.accept()
        code, reason = NORMAL, ""
        network = network_of(websocket)
        try:
            async with self._of_addresses.hold(network), self._turn(websocket) as end_turn:
                identity = await identify()
                socket = Socket(websocket, self._hub, identity, end_turn)
                try:
                    async with self._keep(socket, kind):
                        yield socket
                finally:
                    code = socket.code
        except SocketClosed:
            raise
        except AppError as error:
            code, reason = close_code(error), error.code
            raise SocketClosed from error
        except Exception as error:
            if is_unavailable(error):
                code, reason = TRY_AGAIN, "unavailable"
            else:
                code = INTERNAL_ERROR
                log.exception("unexpected_error")
            raise SocketClosed from error
        finally:
            await _close(websocket, code, reason)

    @contextlib.asynccontextmanager
    async def _turn(self, websocket: WebSocket) -> AsyncIterator[Callable[[], None]]:
        """Wait for a turn to open a socket. Yield what ends it, as the end of the context does.

        Raise SocketClosed if the client has not waited.
        """
        await self._opening.acquire()
        with contextlib.ExitStack() as turn:
            turn.callback(self._opening.release)
            if protocol_of(websocket.scope).disconnected:
                raise SocketClosed
            yield turn.close

    @contextlib.asynccontextmanager
    async def _keep(self, connection: Connection, kind: str) -> AsyncIterator[None]:
        """Keep a connection alive, and end it when the session or token that opened it is gone."""

        def receive(event: Event | Resync) -> None:
            if isinstance(event, ProofRevoked):
                connection.end(UNAUTHENTICATED)
            else:
                look()

        def look() -> None:
            self.proofs.look(connection)

        identity = connection.identity
        of_account = contextlib.nullcontext() if identity is None else self._of_accounts.hold(identity.id)
        with metrics.CONNECTIONS.labels(kind).track_inprogress():
            async with of_account:
                if identity is not None:
                    connection.listen(receive, proof_topic(identity.proof))
                    connection.on_heartbeat(look)
                self.connections.add(connection)
                try:
                    yield
                finally:
                    self.connections.remove(connection)
                    await connection.release()


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    websocket.state["close_code"] = code  # for the log line of `app.core.web.middleware.RequestLog`
    with contextlib.suppress(RuntimeError, TimeoutError, OSError, WebSocketDisconnect):
        async with asyncio.timeout(_CLOSE_WITHIN):
            await websocket.close(code, reason)
