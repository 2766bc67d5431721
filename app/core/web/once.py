"""Requests that are carried out once although they are sent twice: by a double click, or when no answer came.

A program gives its request a key in the header `Idempotency-Key`, a page gives one to each of its forms. The
second request with a key gets the answer of the first. It is stored encrypted, since it may have a session or
a token: only who knows the key, and is the sender, can find and read it.
"""

import asyncio
import base64
import contextlib
import hashlib
import re
from collections.abc import Sequence
from datetime import timedelta

import msgspec
import structlog
from cryptography.fernet import Fernet
from sqlalchemy import ColumnElement, delete, func, select, update
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from app.core.database import once
from app.core.database.deleting import delete_in_parts
from app.core.database.once import DoneBeforeError, Errand
from app.core.database.session import DATABASE_ERRORS, Database, is_unavailable
from app.core.errors import ConflictError, InvalidError, ThrottledError, UnavailableError
from app.core.i18n.text import _
from app.core.ids import SERIAL
from app.core.parts import Parts, parts_of
from app.core.settings import Settings
from app.core.web.addresses import network_of
from app.core.web.current import SAFE_METHODS, OfRequests
from app.core.web.forms import KEY_FIELD
from app.core.web.models import IdempotencyKey
from app.core.web.throttle import Limit, Throttle

log = structlog.get_logger()

_KEPT_FOR = timedelta(days=1)

_KEY = re.compile(r"[!-~]{1,255}")
_FORM_KEY = rb"(?P<key>(?:(?P<account>%b)\.)?(?P<own>[\w-]{16,64})?)" % SERIAL.encode()
_IN_FORM = re.compile(rb"(?:\A|&)%b=%b(?:&|\Z)" % (KEY_FIELD.encode(), _FORM_KEY))
_IN_PARTS = re.compile(
    rb'\A(--[^\r\n]+)\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
    % (KEY_FIELD.encode(), _FORM_KEY)
)

_LARGEST = 64 * 1024  # bytes of an answer that is kept, encrypted; pages have less
_SMALL = 4 * 1024  # bytes of one that is kept however many its sender has had

_WAIT = 10.0  # seconds for the answer to a request that has been carried out
_PAUSE = 0.05  # seconds


class _Answer(msgspec.Struct, array_like=True):
    """A response: its status and headers, and its body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @classmethod
    def of(cls, messages: Sequence[Message]) -> "_Answer":
        start, *parts = messages
        return cls(start["status"], list(start["headers"]), b"".join(part.get("body", b"") for part in parts))

    async def send(self, send: Send) -> None:
        headers = [*self.headers, (b"idempotency-replayed", b"true")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


class Once(OfRequests):
    """ASGI middleware that carries each request with a key out once.

    A key is claimed by what its request commits first (`app.core.database.once`). Requests that commit
    nothing, or are refused (4xx), leave no trace, and may be sent again. What is refused because the same
    request was carried out meanwhile gets the answer of that one.

    `scope["state"]` gets the account that a form was drawn for as `drawn_for`, if its key names one: that is
    all that the key of a form has which needs none.
    """

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raise InvalidError, ConflictError, UnavailableError."""
        if scope["method"] in SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        body = await _read(receive)
        request = _Request.of(scope, body)
        if (key := _key_in(scope, body)) is not None and key["account"]:
            scope["state"]["drawn_for"] = int(key["account"])
        if request is None:
            await self._app(scope, _again(body, receive), send)
            return
        is_served = False
        while not is_served:
            with contextlib.suppress(DoneBeforeError):  # meanwhile, in answer to the other request
                await self._serve_once(request, scope, _again(body, receive), send)
                is_served = True

    async def _serve_once(self, request: "_Request", scope: Scope, receive: Receive, send: Send) -> None:
        answer = await request.earlier_answer()
        if answer is not None:
            await answer.send(send)
            return
        messages: list[Message] = []  # that are kept, until the end of the answer

        async def keep(message: Message) -> None:
            if not (messages or request.errand.is_claimed or _is_refused(message)):
                await send(message)
                return
            messages.append(message)
            is_whole = message["type"] == "http.response.body" and not message.get("more_body")
            if is_whole and request.errand.is_claimed:
                await request.settle(_Answer.of(messages))
                await _send_all(messages, send)

        token = once.current.set(request.errand)
        try:
            await self._app(scope, receive, keep)
        finally:
            once.current.reset(token)
        if messages and (answer := await request.earlier_answer()) is not None:
            await answer.send(send)
        else:
            await _send_all(messages, send)


def _is_refused(message: Message) -> bool:
    """Return whether a message begins the refusal of a request."""
    return message["type"] == "http.response.start" and message["status"] in range(400, 500)


async def _send_all(messages: list[Message], send: Send) -> None:
    while messages:
        await send(messages.pop(0))


class _Request:
    """A request with a key."""

    def __init__(self, parts: Parts, key: bytes, sender: bytes, request: bytes) -> None:
        secret = hashlib.sha256(key).digest() + hashlib.sha256(sender).digest()
        self._database = parts.get(Database)
        self._throttle = parts.get(Throttle)
        self._sender = hashlib.sha256(b"sender" + sender).hexdigest()
        self._cipher = Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"answer" + secret).digest()))
        self.errand = Errand(hashlib.sha256(b"key" + secret).digest(), hashlib.sha256(request).digest())

    @classmethod
    def of(cls, scope: Scope, body: bytes) -> "_Request | None":
        """Return a request, or None if it has no key. Raise InvalidError `bad_idempotency_key`."""
        found = _key_in(scope, body)
        if found and found.re is _IN_PARTS:
            body = body.replace(found[1], b"")  # browsers choose another boundary each time
        request = b"\0".join(
            (scope["method"].encode(), scope["path"].encode(errors="replace"), scope["query_string"], body)
        )
        given = Headers(scope=scope).get("Idempotency-Key")
        if given is not None:
            if not _KEY.fullmatch(given):
                raise InvalidError(
                    "bad_idempotency_key", _("An Idempotency-Key has 1 to 255 visible ASCII characters.")
                )
            key = given.encode()
        elif found and found["own"]:
            key = found["key"] + request  # the same form may be filled in differently, and sent again
        else:
            return None
        connection = HTTPConnection(scope)
        return cls(parts_of(connection), key, _sender(connection), request)

    async def earlier_answer(self) -> _Answer | None:
        """Return the answer to an earlier request with the key, or None if there was none.

        Raise InvalidError `idempotency_key_reused` if that asked for something else, ConflictError
        `answer_lost` if it was carried out and no answer comes, and UnavailableError.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + _WAIT
        while (found := await self._find()) is not None:
            request, answer = found
            if request != self.errand.request:
                raise InvalidError(
                    "idempotency_key_reused",
                    _("This Idempotency-Key belongs to another request. Choose a new one for each."),
                )
            if answer is not None:
                return msgspec.msgpack.decode(self._cipher.decrypt(answer), type=_Answer)
            if loop.time() > end:
                raise ConflictError(
                    "answer_lost",
                    _(
                        "This has been done, but the answer was lost. Look for the result in its list, and "
                        "send this again only if it is not there."
                    ),
                )
            await asyncio.sleep(_PAUSE)
        return None

    async def _find(self) -> tuple[bytes, bytes | None] | None:
        try:
            async with self._database.reading_now() as session:
                query = select(IdempotencyKey.request, IdempotencyKey.answer).where(self._is_this)
                row = (await session.execute(query)).one_or_none()
        except DATABASE_ERRORS as error:
            if is_unavailable(error):
                raise UnavailableError from None
            raise
        return None if row is None else (row.request, row.answer)

    async def settle(self, answer: _Answer) -> None:
        """Store the answer for requests that follow, or let the request be sent again if it was refused.

        An error of the server says neither that something was done nor that nothing was: the key stays,
        without an answer. So it does with an answer beyond what a sender may let the server keep.
        """
        if answer.status >= 500:
            return
        encrypted = self._cipher.encrypt(msgspec.msgpack.encode(answer))
        if answer.status < 400 and not await self._may_keep(len(encrypted)):
            return
        keep = update(IdempotencyKey).values(answer=encrypted)
        try:
            async with self._database.transaction() as session:
                await session.execute(
                    (keep if answer.status < 400 else delete(IdempotencyKey)).where(self._is_this)
                )
        except DATABASE_ERRORS as error:  # what was done is done, and this sender gets the answer
            log.warning("answer_not_stored", error=repr(error))

    async def _may_keep(self, size: int) -> bool:
        if _SMALL < size <= _LARGEST:
            try:
                await self._throttle.hit(Limit.KEPT_ANSWER, self._sender)
            except (ThrottledError, UnavailableError):
                return False
        return size <= _LARGEST

    @property
    def _is_this(self) -> ColumnElement[bool]:
        return IdempotencyKey.digest == self.errand.digest


async def delete_old_keys(database: Database) -> None:
    """Delete the keys of requests that are older than a day."""
    await delete_in_parts(database, IdempotencyKey, IdempotencyKey.created_at < func.now() - _KEPT_FOR)


def _sender(connection: HTTPConnection) -> bytes:
    """Return what tells the sender of a request from others: a token or session, or else the network."""
    headers = connection.headers
    proof = headers.get("authorization") or connection.cookies.get(
        parts_of(connection).get(Settings).session_cookie
    )
    return (proof or f"{network_of(connection)} {headers.get('user-agent')}").encode()


def _key_in(scope: Scope, body: bytes) -> re.Match[bytes] | None:
    """Return where a form has its key, or None if the body is none of a form with a key."""
    kind = Headers(scope=scope).get("Content-Type", "").partition(";")[0].strip().lower()
    pattern = {"multipart/form-data": _IN_PARTS, "application/x-www-form-urlencoded": _IN_FORM}.get(kind)
    return None if pattern is None else pattern.search(body)


async def _read(receive: Receive) -> bytes:
    """Return the body of a request. Raise ClientDisconnect."""
    chunks = []
    is_whole = False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        is_whole = not message.get("more_body")
    return b"".join(chunks)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what receives a body that was read before, and then what follows."""
    bodies = [body]

    async def receive_again() -> Message:
        return {"type": "http.request", "body": bodies.pop()} if bodies else await receive()

    return receive_again
