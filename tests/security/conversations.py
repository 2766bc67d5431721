"""Whole conversations on one connection, honest ones and what becomes of them when parts are changed.

A conversation is a list of pieces, which are sent one after the other. Its seed decides all of it.
"""

import base64
import random
import struct

MOST_BYTES = 400_000
"""The most bytes of a conversation."""

_MOST_COPIES = 5000
_NAMES = ("X", "a", "Cookie", "Accept", "Accept-Language", "User-Agent", "Content-Type", "X-Forwarded-For")
_VALUES = ("", "1", "x" * 50, "y" * 9000, "de, en;q=0.5", "application/json", "\xe9\xff", "  spaced  ")
# fmt: off
_ODD = (
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b"a:\r\n", b"\r\n\r\n", b"\xff\xfe", b"0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"Content-Length: 99999999999\r\n",
    b"Host: other\r\n", b"Host: a b\r\n", b"Connection: close\r\n", b"Expect: 100-continue\r\n",
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n", b"Upgrade: h2c\r\n", b"HTTP/2.0", b"HTTP/1.0",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    b"\x89\x00", b"\x00\x80abcd", b"\x09\x80abcd", b"\x01\x81abcdx",
    b"\x81\x84\0\0\0\0\xff\xff\xff\xff", b"\x88\x82\0\0\0\0\x03\xe8",
)
# fmt: on
_PLAIN = ("/", "/lobby", "/health/live", "/rules/jadejack", "/nowhere", "/static/x", "/api/v1/games")
_POSTED = ("/api/v1/nugget/check", "/api/v1/tokens", "/login", "/challenges")
_SOCKETS = (
    *("/lobby/live", "/watch/live", "/games/22222bcdfg/live", "/api/v1/games/33333bcdfg/socket"),
    *("/api/v1/games/none/socket", "/nowhere", "/static/x", "/watch/live?game=%ff"),
)


def conversation(seed):
    """Return the pieces of a conversation."""
    rng = random.Random(seed)
    kind = rng.choice((_requests, _requests, _handshake, _websocket, _websocket, _upgrade))
    pieces = kind(rng)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        pieces = rng.choice(_MUTATIONS)(rng, pieces)
    sent, left = [], MOST_BYTES
    for piece in pieces:
        sent.append(piece[:left])
        left -= len(sent[-1])
    return _split(rng, [piece for piece in sent if piece])


def _requests(rng):
    """Return requests, one after the other or sent ahead."""
    return [_request(rng) for _ in range(rng.choice((1, 1, 2, 5, 30)))]


def _request(rng):
    body = rng.choice((b"", b"", b"{}", b"name=x", b"z" * 70_000))
    lines = [f"Host: {rng.choice(('127.0.0.1', 'localhost:80', 'play.example'))}", *_headers(rng)]
    if not body:
        return _head(f"{rng.choice(('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE'))} {rng.choice(_PLAIN)}", lines)
    start = f"POST {rng.choice(_POSTED)}"
    if rng.random() < 0.5:
        return _head(start, [*lines, f"Content-Length: {len(body)}"]) + body
    return _head(start, [*lines, "Transfer-Encoding: chunked"]) + _chunked(rng, body)


def _chunked(rng, body):
    size = rng.choice((1, 7, 4096))
    extension = rng.choice((b"", b"", b";a=b", b";" + b"e" * 300))
    parts = [body[start : start + size] for start in range(0, min(len(body), 3000 * size), size)]
    trailers = b"".join(rng.choice((b"a:b\r\n", b"Trailer: x\r\n")) for _ in range(rng.choice((0, 0, 1, 20))))
    chunks = b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts)
    return chunks + b"0%b\r\n%b\r\n" % (extension, trailers)


def _handshake(rng):
    return [opening(rng.choice(_SOCKETS), rng, _headers(rng))]


def _websocket(rng):
    """Return a handshake at a page's websocket, and frames."""
    return [opening("/lobby/live", rng), *(_frame(rng) for _ in range(rng.choice((1, 3, 10, 60))))]


def _upgrade(rng):
    """Return requests with a handshake among them, or with an upgrade to something else."""
    other = _head("POST /login", ["Host: a", "Connection: Upgrade", "Upgrade: h2c", "Content-Length: 9"])
    middle = rng.choice((opening("/lobby/live", rng), other + b"GET / HTTP"))
    return [*_requests(rng)[:3], middle, *_requests(rng)[:3]]


def opening(path, rng, more=()):
    """Return an honest handshake."""
    key = base64.b64encode(rng.randbytes(16)).decode()
    origin = ["Host: 127.0.0.1", "Origin: http://127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
    wanted = [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    return _head(f"GET {path}", [*origin, *wanted, *more])


def _head(start, lines):
    return "\r\n".join((f"{start} HTTP/1.1", *lines, "", "")).encode("latin-1")


def _headers(rng):
    return [f"{rng.choice(_NAMES)}: {rng.choice(_VALUES)}" for _ in range(rng.choice((0, 2, 8, 150)))]


def _frame(rng):
    opcode = rng.choice((0x81, 0x81, 0x82, 0x01, 0x00, 0x80, 0x89, 0x8A, 0x88, 0x8F, 0xC1))
    texts = (b"", b"x", b'{"type":"move"}', b"\xff\xff", b"\x03\xe8", b"m" * 17_000)
    payload = rng.choice((*texts, rng.randbytes(200)))
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else bytes((0xFE,)) + struct.pack(">H", size)
    mask = rng.randbytes(4)
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes((opcode,)) + length + mask + masked


def _delete(rng, pieces):
    index, start, end = _range(rng, pieces)
    return [*pieces[:index], pieces[index][:start] + pieces[index][end:], *pieces[index + 1 :]]


def _repeat(rng, pieces):
    """Repeat a few bytes, a line, or a whole piece, up to thousands of times."""
    copies = rng.choice((2, 10, _MOST_COPIES))
    index, start, end = _range(rng, pieces)
    piece = pieces[index]
    if rng.random() < 0.5:  # whole lines
        start, end = piece.rfind(b"\n", 0, start) + 1, piece.find(b"\n", end - 1) + 1 or len(piece)
    repeated = piece[start:end] * min(copies, MOST_BYTES // max(1, end - start))
    return [*pieces[:index], piece[:start] + repeated + piece[end:], *pieces[index + 1 :]]


def _insert(rng, pieces):
    index, start, _ = _range(rng, pieces)
    odd = rng.choice(_ODD) * rng.choice((1, 1, 2, 300))
    return [*pieces[:index], pieces[index][:start] + odd + pieces[index][start:], *pieces[index + 1 :]]


def _swap(rng, pieces):
    index = rng.randrange(len(pieces))
    lines = pieces[index].split(b"\r\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return [*pieces[:index], b"\r\n".join(lines), *pieces[index + 1 :]]


def _truncate(rng, pieces):
    index, start, _ = _range(rng, pieces)
    return [*pieces[:index], pieces[index][:start]]


def _flip(rng, pieces):
    index = rng.randrange(len(pieces))
    changed = bytearray(pieces[index])
    for _ in range(rng.choice((1, 5)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return [*pieces[:index], bytes(changed), *pieces[index + 1 :]]


_MUTATIONS = (_delete, _repeat, _repeat, _insert, _insert, _swap, _truncate, _flip)


def _range(rng, pieces):
    """Return the index of a piece, and the start and end of some of its bytes."""
    index = rng.randrange(len(pieces))
    start, end = sorted(rng.randint(0, len(pieces[index])) for _ in range(2))
    return index, start, rng.choice((end, min(len(pieces[index]), start + 4)))


def _split(rng, pieces):
    """Send all pieces at once, each alone, or in smaller ones."""
    match rng.choice(("once", "pieces", "pieces", "smaller")):
        case "once":
            return [b"".join(pieces)]
        case "pieces":
            return pieces
        case _:
            whole = b"".join(pieces)
            ends = sorted(rng.randint(0, len(whole)) for _ in range(5))
            return [whole[start:end] for start, end in zip([0, *ends], [*ends, len(whole)], strict=True)]
