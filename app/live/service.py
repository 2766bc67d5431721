"""Opening live connections, and what they hold until they end."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocket

from app.core import metrics
from app.core.database.session import Database
from app.core.errors import ForbiddenError
from app.core.events import Event, Resync
from app.core.i18n.text import Text
from app.core.ids import SERIAL
from app.core.realtime.hub import Hub
from app.core.settings import Settings
from app.core.web.addresses import network_of
from app.core.web.errors import SocketClosed
from app.core.web.origin import check_same_origin, is_foreign
from app.live.connections import (
    UNAUTHENTICATED,
    Connection,
    Connections,
    PageSocket,
    Socket,
    Stream,
    outcome,
)
from app.live.proofs import Proofs
from app.live.protocol import protocol_of
from app.live.quota import Both, Quota, TooManyConnectionsError
from app.people.identity.events import ProofRevoked, proof_topic
from app.people.identity.service import Identity
from app.people.identity.viewer import check_drawn_for, current_viewer, program_of

_MOST_OPENING = 4  # at a time, so that moves do not wait while thousands of sockets are opened


class Live:
    """The live connections of one process."""

    def __init__(
        self, hub: Hub, database: Database, settings: Settings, of_accounts: Quota, of_addresses: Quota
    ) -> None:
        self.connections = Connections()
        self.proofs = Proofs(database)
        self._opening = asyncio.Semaphore(_MOST_OPENING)
        self._hub = hub
        self._settings = settings
        self._of_accounts = of_accounts
        self._of_addresses = of_addresses

    def page(self, websocket: WebSocket) -> contextlib.AbstractAsyncContextManager[Socket]:
        """Open the websocket of one of our pages; `identity` is the account that is logged in, or None.

        Like the forms of a page, it serves only the account for which the page was drawn.

        An AppError within the context closes the socket with its code; an outage of the database, with 1013.
        After the context the socket stays open, without the endpoint.
        """

        async def identify() -> Identity | None:
            check_same_origin(websocket.headers, self._settings.public_url)
            if re.fullmatch(SERIAL, account := websocket.query_params.get("account", "")):
                websocket.state.drawn_for = int(account)
            viewer = await current_viewer(websocket)
            check_drawn_for(websocket, viewer)
            return viewer

        return self._open(websocket, PageSocket, "page", identify)

    def program(self, websocket: WebSocket) -> contextlib.AbstractAsyncContextManager[Socket]:
        """Open the websocket of a program; `identity` is the account of its token, if it sent one."""

        async def identify() -> Identity | None:
            if is_foreign(websocket.headers, self._settings.public_url):
                raise ForbiddenError("cross_site", Text("This connection was opened by another site's page."))
            return await program_of(websocket)

        return self._open(websocket, Socket, "program", identify)

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
        self,
        websocket: WebSocket,
        make: type[Socket],
        kind: str,
        identify: Callable[[], Awaitable[Identity | None]],
    ) -> AsyncIterator[Socket]:
        # Pages retry a refused handshake forever, but they respect close codes.
        await websocket.accept()
        protocol = protocol_of(websocket.scope)
        socket = make(self._hub, protocol, websocket.scope["state"].pop("log"))
        try:
            async with self._opening:
                if protocol.disconnected:  # the client has not waited for its turn
                    raise SocketClosed  # noqa: TRY301 - as an AppError of the context does
                await socket.hold(self._of_addresses.hold(network_of(websocket)))
                socket.identify(await identify())
                await socket.hold(self._keep(socket, kind))
                yield socket
        except (SocketClosed, asyncio.CancelledError):
            await socket.finish(socket.code)
            raise
        except Exception as error:
            await socket.finish(*outcome(error))
            raise SocketClosed from error
        socket.go_on()

    def _keep(self, connection: Connection, kind: str) -> contextlib.AbstractAsyncContextManager[None]:
        """Keep a connection alive, and end it when the session or token that opened it is gone."""
        identity, kept = connection.identity, _Kept(connection, kind, self.connections, self.proofs)
        return kept if identity is None else Both(self._of_accounts.hold(identity.id), kept)


class _Kept(contextlib.AbstractAsyncContextManager[None]):
    """A connection that is kept alive within the context."""

    __slots__ = ("_connection", "_connections", "_kind", "_proofs")

    def __init__(self, connection: Connection, kind: str, connections: Connections, proofs: Proofs) -> None:
        self._connection = connection
        self._kind = kind
        self._connections = connections
        self._proofs = proofs

    async def __aenter__(self) -> None:
        connection = self._connection
        metrics.CONNECTIONS.labels(self._kind).inc()
        if connection.identity is not None:
            connection.listen(self._receive, proof_topic(connection.identity.proof))
            connection.on_heartbeat(self._look)
        self._connections.add(connection)

    async def __aexit__(self, *_error: object) -> None:
        metrics.CONNECTIONS.labels(self._kind).dec()
        self._connections.remove(self._connection)
        await self._connection.release()

    def _receive(self, event: Event | Resync) -> None:
        if isinstance(event, ProofRevoked):
            self._connection.end(UNAUTHENTICATED)
        else:
            self._look()

    def _look(self) -> None:
        self._proofs.look(self._connection)
