"""Bounds of what a connection may send besides the bodies of its requests, in every form of it."""

import asyncio
import contextlib

import pytest

from app.live.heads import LARGEST_HEAD, MOST_FIELDS
from tests.support.raw_http import GET, POST, answered, application, connected, listening

CHUNKED = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def padded(before, after, size):
    """Return a head of so many bytes."""
    return before + b"x" * (size - len(before) - len(after)) + after


def with_spaces(size):
    return padded(GET + b"Connection: close\r\nX: ", b"\r\n\r\n", size).replace(b"x", b" ")


HEADS = {
    "a long address": lambda size: padded(
        b"GET /", b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", size
    ),
    "a long value": lambda size: padded(GET + b"Connection: close\r\nX: ", b"\r\n\r\n", size),
    "a long name": lambda size: padded(GET + b"Connection: close\r\n", b": 1\r\n\r\n", size),
    "spaces": with_spaces,
    "several values": lambda size: padded(
        GET + b"Connection: close\r\n" + b"Y: 1\r\n" * 100 + b"X: ", b"\r\n\r\n", size
    ),
}


@pytest.mark.parametrize("form", HEADS)
@pytest.mark.parametrize("piece", [1, 1000, LARGEST_HEAD, 1_000_000])
async def test_a_head_may_have_so_many_bytes_as_they_were_sent_and_not_one_more(form, piece):
    async with listening(application) as (port, _):
        for size, status in ((LARGEST_HEAD, 200), (LARGEST_HEAD + 1, 431)):
            head = HEADS[form](size)
            assert len(head) == size
            async with connected(port) as (reader, writer), asyncio.timeout(30):
                for start in range(0, size, max(piece, size // 50)):
                    writer.write(head[start : start + max(piece, size // 50)])
                    await asyncio.sleep(0)
                assert (await reader.read()).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize("name", ["a", "x-longer", "cookie"])
async def test_a_request_may_have_so_many_headers_and_not_one_more(name):
    async with listening(application) as (port, _):
        for count, status in ((MOST_FIELDS, 200), (MOST_FIELDS + 1, 431), (15_000, 431)):
            head = GET + b"Connection: close\r\n" + f"{name}:\r\n".encode() * (count - 2) + b"\r\n"
            assert (await answered(port, head)).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    "sent",
    [
        CHUNKED + b"0\r\n" + b"a:b\r\n" * 100_000,
        CHUNKED + b"0\r\n" + b"a:\r\n" * 100_000,
        CHUNKED + b"0\r\na:" + b"b" * 500_000,
        CHUNKED + b"1;" + b"e" * 500_000,
        CHUNKED + b"1;e=f\r\nx\r\n" * 100_000,
        CHUNKED + b"1\r\nx\r\n" * 100_000,
        CHUNKED + b"0" * 500_000,
        b"\r\n" * 250_000,
        CHUNKED + b"5\r\nhello\r\n0\r\n" + b"a:b\r\n" * 100_000,
    ],
    ids=[
        *("trailers", "empty trailers", "a long trailer", "a long extension", "extensions", "tiny chunks"),
        *("a long size", "empty lines", "trailers after a body"),
    ],
)
@pytest.mark.parametrize("piece", [1000, 1_000_000])
async def test_what_is_neither_head_nor_body_is_limited(sent, piece):
    async with listening(application) as (port, _), connected(port) as (reader, writer):
        async with asyncio.timeout(30):
            answer = asyncio.create_task(reader.read())
            for start in range(0, len(sent), piece):
                writer.write(sent[start : start + piece])
                await asyncio.sleep(0)
            assert (await answer).startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 400 "))


@pytest.mark.parametrize("size", [8, 100, 4096, 70_000])
async def test_a_body_in_chunks_of_any_reasonable_size_is_read(size):
    body = b"b" * 200_000
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    async with listening(application) as (port, _):
        answer = await answered(port, CHUNKED + chunks + b"0\r\nChecksum: 1\r\n\r\n")
        assert answer.endswith(b"\r\n\r\n%d" % len(body))


async def test_trailers_are_dropped():
    scopes = []

    async def note(scope, receive, send):
        scopes.append(scope)
        await application(scope, receive, send)

    async with listening(note) as (port, _):
        await answered(port, CHUNKED + b"1\r\nx\r\n0\r\nHost: other\r\nSecret: 1\r\n\r\n")
    (scope,) = scopes
    assert [name for name, _ in scope["headers"]] == [b"host", b"connection", b"transfer-encoding"]


async def test_some_requests_may_be_sent_ahead():
    async with listening(application) as (port, _):
        requests = (GET + b"\r\n") * 8 + GET + b"Connection: close\r\n\r\n"
        assert (await answered(port, requests)).count(b"HTTP/1.1 200 ") == 9


@pytest.mark.parametrize("count", [11, 1000, 10_000])
async def test_too_many_requests_that_are_sent_ahead_end_the_connection_and_are_not_kept(count):
    scopes, told = [], asyncio.Event()

    async def wait(scope, receive, send):
        scopes.append(scope)
        while (await receive())["type"] != "http.disconnect":
            pass
        told.set()

    async with listening(wait) as (port, connections), connected(port) as (reader, writer):
        async with asyncio.timeout(10):
            writer.write((GET + b"\r\n") * count)
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
            await told.wait()
        assert not connections
    assert len(scopes) == 1


async def test_a_client_that_leaves_ends_the_answer_to_each_of_its_requests(caplog):
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stream(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        for _ in range(10):
            await send({"type": "http.response.body", "body": b"x" * 1000, "more_body": True})
        ended.set()

    async with listening(stream) as (port, _), asyncio.timeout(10):
        async with connected(port) as (_, writer):
            writer.write((GET + b"\r\n") * 5)
            await begun.wait()
            writer.transport.abort()
        await ended.wait()
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET / HTTP/1.1\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
        (b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a b\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: http://a/\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a@b\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: \xe9\r\n", 400),
        (b"GET / HTTP/1.0\r\n", 200),
        (b"GET / HTTP/1.1\r\nHost:\r\n", 200),
        (b"GET / HTTP/1.1\r\nHost: [::1]:8000\r\n", 200),
        (b"GET http://a/ HTTP/1.1\r\nHost: a\r\n", 200),
    ],
    ids=repr,
)
async def test_a_request_names_one_host(head, status):
    async with listening(application) as (port, _):
        answer = await answered(port, head + b"Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize("to", [b"h2c", b"websocket", b"TLS/1.0", b"websocket, h2c"])
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ],
    ids=["length", "chunks"],
)
async def test_an_upgrade_has_no_body_that_could_be_taken_for_a_request(to, body):
    paths = []

    async def note(scope, receive, send):
        paths.append(scope["path"])
        await application(scope, receive, send)

    async with listening(note) as (port, _):
        answer = await answered(port, POST + b"Connection: Upgrade\r\nUpgrade: " + to + b"\r\n" + body)
        assert answer.startswith(b"HTTP/1.1 400 ")
    assert paths == []


@pytest.mark.parametrize("to", [b"h2c", b"TLS/1.0", b"websocket, h2c"])
async def test_an_upgrade_to_something_else_is_ignored(to):
    upgrade = (
        GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: " + to + b"\r\nHTTP2-Settings: AA\r\n\r\n"
    )
    async with listening(application) as (port, _):
        answer = await answered(port, upgrade * 3 + GET + b"Connection: close\r\n\r\n")
        assert answer.count(b"HTTP/1.1 200 ") == 4
