"""The websocket protocol: frames that wait for each other, and what an ended connection leaves behind."""

import asyncio
import contextlib
import contextvars
import gc
import weakref

import pytest
from websockets.asyncio.client import connect

from app.core.events import account_topic
from app.core.realtime.hub import Hub
from app.live import protocol
from app.live.connections import PageSocket
from app.live.messages import Message
from app.live.protocol import WebSocketProtocol, protocol_of
from tests.support.raw_http import listening
from tests.support.waiting import WITHIN, wait_until


async def listener(scope, receive, send):
    """Accept a websocket and read until it ends."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def keeper(scope, receive, send):
    """Accept a websocket, keep it and return."""
    await receive()
    await send({"type": "websocket.accept"})
    connection = protocol_of(scope)
    connection.keep()

    async def serve():
        while message := await connection.next_message():
            if message["type"] == "websocket.disconnect":
                await connection.close(message["code"], "")

    connection.serve_by(lambda: connection.run(serve(), contextvars.copy_context()))


async def page(scope, receive, send):
    """Accept a websocket, and keep it as that of a page whose messages are answered."""
    await receive()
    await send({"type": "websocket.accept"})
    socket = PageSocket(Hub(), protocol_of(scope), lambda *_: None)

    async def answer(_text):
        socket.send(Message(b"{}"))

    socket.on_message(answer)
    socket.go_on()


async def test_the_work_of_a_connection_ends_before_what_it_holds():
    """It would undo what is noted of a client who has gone."""
    hub, ended = Hub(), []
    left = asyncio.get_running_loop().create_future()

    @contextlib.asynccontextmanager
    async def held():
        try:
            yield
        finally:
            left.set_result((set(hub.topics), list(ended)))

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("work")

    async def working(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        socket = PageSocket(hub, protocol_of(scope), lambda *_: None)
        socket.listen(ended.append, account_topic(1))
        socket.keep_running(work())
        await socket.hold(held())
        socket.send(Message(b"{}"))
        socket.go_on()

    async with listening(working) as (port, _), asyncio.timeout(WITHIN):
        async with connect(f"ws://127.0.0.1:{port}/") as websocket:
            await websocket.recv()
            assert hub.topics
        assert await left == (set(), ["work"])


@pytest.mark.parametrize("application", [listener, keeper, page])
async def test_an_ended_connection_is_freed_without_a_garbage_collection(application, monkeypatch):
    """The server collects garbage rarely: what waits for that would add up to gigabytes."""
    monkeypatch.setattr(protocol, "_CLOSE_WITHIN", 0)
    protocols = []
    begin = WebSocketProtocol.__init__

    def note(self, *args, **options):
        begin(self, *args, **options)
        protocols.append(weakref.ref(self))

    monkeypatch.setattr(WebSocketProtocol, "__init__", note)
    gc.collect()
    gc.disable()
    try:
        async with listening(application) as (port, _):
            for _ in range(3):
                async with connect(f"ws://127.0.0.1:{port}/") as websocket:
                    await websocket.send("{}")
            async with asyncio.timeout(10):
                while any(reference() for reference in protocols):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
    finally:
        gc.enable()
    assert len(protocols) == 3


async def test_a_connection_that_is_kept_leaves_no_task_and_nothing_of_the_request():
    async with listening(keeper) as (port, connections):
        async with connect(f"ws://127.0.0.1:{port}/") as websocket:
            await websocket.send("ignored")
            await (await websocket.ping())
            (connection,) = connections
            assert connection.tasks == set()
            assert not hasattr(connection, "scope")
        await asyncio.to_thread(wait_until, lambda: not connections)


async def test_what_is_kept_for_an_answer_is_sent_with_it_and_after_the_frames_of_others():
    sent, connections, frame = [], {}, Message(b"{}").frame

    class Transport:
        def __init__(self, name, transport):
            self._name, self._transport = name, transport

        def write(self, data):
            sent.append((self._name, data))
            self._transport.write(data)

        def __getattr__(self, name):
            return getattr(self._transport, name)

    async def answer(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        connection = connections[scope["path"]] = protocol_of(scope)
        connection.transport = Transport(scope["path"], connection.transport)
        while (await receive())["type"] != "websocket.disconnect":
            connection.cork()
            connection.write(frame)
            await asyncio.sleep(0.01)
            connections["/other"].write(frame)
            connection.answer(frame)

    async with (
        listening(answer) as (port, _),
        connect(f"ws://127.0.0.1:{port}/other") as other,
        connect(f"ws://127.0.0.1:{port}/player") as player,
    ):
        await player.send("{}")
        assert [await player.recv(), await player.recv(), await other.recv()] == ["{}"] * 3
    assert sent[:2] == [("/other", frame), ("/player", frame + frame)]
