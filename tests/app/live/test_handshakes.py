"""Handshakes of websockets: whatever one is like, it is answered, and no other one waits for it."""

import asyncio
import contextlib

import pytest

from app.live import http, protocol
from app.live.http import HttpProtocol
from tests.support.raw_http import HONEST, KEY, connected, listening, status, written

FORMS = 10  # of each malformed handshake that stay open; four could be opened at a time


async def application(scope, receive, send):
    """Accept a websocket and read until it ends; answer a request."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def without(start):
    return written(line for line in HONEST if not line.startswith(start))


def with_(*lines):
    """Return the handshake with these lines, instead of those with the same names."""
    names = {line.partition(b":")[0] for line in lines}
    return written([*(line for line in HONEST if line.partition(b":")[0] not in names), *lines])


MALFORMED = {
    "many headers": (written(HONEST + [b"X-%d: 1" % n for n in range(200)]), 431),
    "many short headers": (written(HONEST + [b"a:"] * 15_000), 431),
    "a long header": (written([*HONEST, b"X: " + b"x" * 40_000]), 431),
    "a long address": (written([b"GET /" + b"x" * 40_000 + b" HTTP/1.1", *HONEST[1:]]), 431),
    "a body": (with_(b"Content-Length: 5") + b"hello", 400),
    "a body to come": (with_(b"Content-Length: 5"), 400),
    "chunks": (with_(b"Transfer-Encoding: chunked") + b"0\r\n\r\n", 400),
    "frames": (written(HONEST) + b"\x81\x80abcd", 400),
    "a request behind it": (written(HONEST) + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    "two at once": (written(HONEST) * 2, 400),
    "POST": (written([b"POST /live HTTP/1.1", *HONEST[1:]]), 405),
    "CONNECT": (written([b"CONNECT live:1 HTTP/1.1", *HONEST[1:]]), 400),
    "HTTP/1.0": (written([b"GET /live HTTP/1.0", *HONEST[1:]]), 505),
    "HTTP/1.0 without host": (written([b"GET /live HTTP/1.0", *HONEST[2:]]), 505),
    "no host": (without(b"Host"), 400),
    "two hosts": (with_(b"Host: a", b"Host: b"), 400),
    "no key": (without(b"Sec-WebSocket-Key"), 400),
    "a short key": (with_(b"Sec-WebSocket-Key: YQ=="), 400),
    "no base64": (with_(b"Sec-WebSocket-Key: \xe9\xe9"), 400),
    "two keys": (with_(KEY, KEY), 400),
    "no version": (without(b"Sec-WebSocket-Version"), 400),
    "another version": (with_(b"Sec-WebSocket-Version: 8"), 400),
    "two versions": (with_(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 8"), 400),
    "odd tokens": (with_(b"Connection: Upgrade, ;;"), 400),
    "two origins": (with_(b"Origin: http://a", b"Origin: http://b"), 400),
    "a bad subprotocol": (with_(b"Sec-WebSocket-Protocol: ;;"), 400),
    "another upgrade first": (with_(b"Upgrade: h2c", b"Upgrade: websocket"), 426),
    "no address": (written([b"GET  HTTP/1.1", *HONEST[1:]]), 400),
    "an address with other bytes": (written([b"GET /\xe9 HTTP/1.1", *HONEST[1:]]), 400),
    "a folded header": (written([*HONEST, b"X: a\r\n b"]), 400),
}

COMPLETE = {"frames", "a request behind it", "two at once"}
"""Those that are honest handshakes if what follows comes later."""


async def assert_opens(port):
    async with connected(port) as (reader, writer), asyncio.timeout(10):
        writer.write(written(HONEST))
        assert (await status(reader))[0] == 101


@pytest.mark.parametrize("form", MALFORMED)
@pytest.mark.parametrize("piece", [7, 1_000_000])
async def test_a_malformed_handshake_is_answered_and_closed_and_holds_nobody_up(
    form, piece, caplog, monkeypatch
):
    for module in (http, protocol):
        monkeypatch.setattr(module, "_CLOSE_WITHIN", 0.2)
    sent, expected = MALFORMED[form]
    async with listening(application) as (port, connections), contextlib.AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(connected(port)) for _ in range(FORMS)]
        for _, writer in opened:
            for start in range(0, min(len(sent), 50_000), max(piece, len(sent) // 100)):
                writer.write(sent[start : start + max(piece, len(sent) // 100)])
                await asyncio.sleep(0)
        await assert_opens(port)
        for reader, _ in opened:
            async with asyncio.timeout(10):
                code, head = await status(reader)
                if code == 101 and form in COMPLETE:
                    continue
                assert code == expected
                assert b"connection: close" in head
                with contextlib.suppress(ConnectionError):
                    await reader.read()
        async with asyncio.timeout(10):
            while any(isinstance(one, HttpProtocol) for one in connections):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_refusal_names_the_version_that_is_accepted():
    async with listening(application) as (port, _), connected(port) as (reader, writer):
        writer.write(with_(b"Sec-WebSocket-Version: 12"))
        assert b"sec-websocket-version: 13\r\n" in (await status(reader))[1]


@pytest.mark.parametrize(
    "line",
    [b"Connection: keep-alive, upgrade", b"Upgrade: WebSocket", b"X: \xe9", b"Content-Length: 0"],
    ids=repr,
)
async def test_other_honest_handshakes_are_accepted(line):
    async with listening(application) as (port, _), connected(port) as (reader, writer):
        writer.write(with_(line))
        assert (await status(reader))[0] == 101


async def test_a_handshake_may_follow_an_answered_request_and_not_one_that_waits():
    async def slow(scope, receive, send):
        if scope["type"] == "http":
            await receive()
            await asyncio.sleep(0.2)
        await application(scope, receive, send)

    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    async with listening(slow) as (port, _), connected(port) as (reader, writer):
        writer.write(request)
        assert (await status(reader))[0] == 404
        writer.write(written(HONEST))
        assert (await status(reader))[0] == 101
    async with listening(slow) as (port, _), connected(port) as (reader, writer):
        writer.write(request + written(HONEST))
        with contextlib.suppress(ConnectionError):
            assert b" 101 " not in await reader.read()


async def hang(_scope, _receive, _send):
    await asyncio.Event().wait()


async def give_up(_scope, _receive, _send):
    pass


async def crash(_scope, _receive, _send):
    raise ValueError


async def accept_and_hang(_scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


async def refuse(_scope, receive, send):
    await receive()
    await send({"type": "websocket.close"})


@pytest.mark.parametrize("endpoint", [hang, give_up, crash, accept_and_hang, refuse])
async def test_a_connection_ends_whatever_its_endpoint_does(endpoint, monkeypatch):
    monkeypatch.setattr(protocol, "_OPEN_WITHIN", 0.3)
    monkeypatch.setattr(protocol, "_CLOSE_WITHIN", 0.3)
    async with listening(endpoint) as (port, connections), connected(port) as (reader, writer):
        async with asyncio.timeout(10):
            writer.write(written(HONEST))
            with contextlib.suppress(ConnectionError):
                await reader.read()
            while connections:  # noqa: ASYNC110 - nothing else says so
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("part", range(0, len(written(HONEST)), 20))
async def test_half_a_handshake_is_answered_in_time(part, monkeypatch):
    monkeypatch.setattr(http, "HEAD_WITHIN", 0.1)
    async with listening(application) as (port, _), connected(port) as (reader, writer), asyncio.timeout(10):
        writer.write(written(HONEST)[:part])
        assert (await status(reader))[0] == 408
