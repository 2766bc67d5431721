"""Limits of requests: large headers, slow headers and bodies, idle connections, too many connections."""

import asyncio
import contextlib
import json

import pytest

from app.live import http
from app.live.http import LARGEST_HEAD
from tests.support.raw_http import GET, POST, answered, application, connected, listening
from tests.support.waiting import wait_until


@pytest.fixture
def impatient(monkeypatch):
    for name in ("HEAD_WITHIN", "BODY_WITHIN"):
        monkeypatch.setattr(http, name, 0.1)


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X: " + b"x" * LARGEST_HEAD + b"\r\n\r\n",
        GET + b"X: y\r\n" * LARGEST_HEAD,
        b"GET /?" + b"x" * LARGEST_HEAD + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        GET + b"X: " + b"x" * 10 * LARGEST_HEAD,
    ],
    ids=["one header", "many headers", "a long address", "a header without an end"],
)
async def test_headers_that_are_too_large_are_refused(head):
    async with listening(application) as (port, _):
        assert (await answered(port, head)).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("path", [b"/", b"/api/v1/games"])
@pytest.mark.parametrize(
    ("rest", "status"),
    [
        (b"?%s HTTP/1.1\r\nHost: a\r\n\r\n" % (b"x" * LARGEST_HEAD), 431),
        (b" HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        (b" HTTP/1.1\r\n\r\n", 400),
        (b" HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        (b" HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        (b" HTTP/1.1\r\nHost: a\r\n", 408),
        (b" HTTP/1.1\r\nHost: a\r\n\r\n", 503),
    ],
    ids=["long", "a length below 0", "no host", "a chunk below 0", "another version", "half", "one too many"],
)
@pytest.mark.usefixtures("impatient")
async def test_programs_are_refused_by_problems(path, rest, status):
    """People read a sentence."""
    most = 1 if status == 503 else None
    async with (
        listening(application, limit_concurrency=most) as (port, _),
        contextlib.AsyncExitStack() as stack,
    ):
        if status == 503:
            await stack.enter_async_context(connected(port))
        head, _, body = (await answered(port, b"GET " + path + rest)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert (b"retry-after: " in head) == (status == 503)
    if path != b"/":
        assert b"content-type: application/problem+json\r\n" in head
        body = json.loads(body)
        assert body["status"] == status
        body = body["detail"].encode()
    assert body.endswith(b".")


async def test_a_large_body_is_not_counted_as_headers():
    body = b"x" * 4 * LARGEST_HEAD
    async with listening(application) as (port, _):
        request = POST + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        assert (await answered(port, request + body)).endswith(b"\r\n\r\n%d" % len(body))


@pytest.mark.parametrize(
    "start",
    [b"", b"\r\n", GET, POST + b"Content-Length: 9\r\n\r\n1234"],
    ids=["nothing", "an empty line", "half of the headers", "half of the body"],
)
@pytest.mark.usefixtures("impatient")
async def test_a_request_that_does_not_end_is_refused(start):
    async with listening(application) as (port, _):
        assert (await answered(port, start)).startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("impatient")
async def test_a_connection_that_drips_headers_is_closed():
    async with listening(application) as (port, _), connected(port) as (reader, writer), asyncio.timeout(10):
        writer.write(GET)
        answer = asyncio.create_task(reader.read())
        with contextlib.suppress(ConnectionError):
            while not answer.done():
                writer.write(b"X: y\r\n")
                await asyncio.sleep(0.01)
        assert (await answer).startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("impatient")
async def test_a_kept_connection_is_closed_if_no_request_follows():
    async with listening(application, timeout_keep_alive=0.1) as (port, _):
        assert (await answered(port, GET + b"\r\n")).startswith(b"HTTP/1.1 200 ")
        assert (await answered(port, GET + b"\r\n" + GET)).startswith(b"HTTP/1.1 200 ")


async def test_a_kept_connection_serves_one_request_after_another():
    async with listening(application) as (port, _), connected(port) as (reader, writer), asyncio.timeout(10):
        for body in (b"", b"abc", b"abcdef"):
            writer.write(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert (await reader.readuntil(b"\r\n\r\n%d" % len(body))).startswith(b"HTTP/1.1 200 ")


async def test_one_connection_too_many_is_refused():
    async with listening(application, limit_concurrency=2) as (port, _), connected(port) as (reader, writer):
        async with connected(port):
            assert (await answered(port, GET + b"\r\n")).startswith(b"HTTP/1.1 503 ")
        writer.write(GET + b"\r\n")
        async with asyncio.timeout(10):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")


async def test_health_checks_are_answered_beyond_the_most_connections(monkeypatch):
    monkeypatch.setattr(http, "_SPARE_FOR", 0.5)
    check = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n"
    async with contextlib.AsyncExitStack() as stack:
        port, connections = await stack.enter_async_context(listening(application, limit_concurrency=2))
        for _ in range(2):
            _, writer = await stack.enter_async_context(connected(port))
            writer.write(POST + b"Content-Length: 9\r\n\r\n1")
        for _ in range(3):  # the connection is not kept
            assert (await answered(port, check + b"\r\n")).startswith(b"HTTP/1.1 200 ")
            assert (await answered(port, GET + b"\r\n")).startswith(b"HTTP/1.1 503 ")
        for held in (b"", check, b"POST /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"):
            assert not (await answered(port, held)).startswith(b"HTTP/1.1 200 ")
        await asyncio.to_thread(wait_until, lambda: len(connections) == 2)
        for _ in range(http._SPARE):
            await stack.enter_async_context(connected(port))
        assert (await answered(port, b"")).startswith(b"HTTP/1.1 503 ")
