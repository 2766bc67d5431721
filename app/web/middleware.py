"""What surrounds every request: its id and log line, a limit on its size, and the security headers."""

import secrets
import time

import structlog
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.moments import now
from app.web import errors

log = structlog.get_logger()

MAX_BODY = 512 * 1024  # bytes; the largest thing anybody sends is a record file of 256 KiB

_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# The API's documentation page styles itself from its script.
_DOCS_POLICY = _POLICY + "; style-src 'self' 'unsafe-inline'"
_A_YEAR = "public, max-age=31536000, immutable"


class RequestLog:
    """Writes one line a request: id, method, path, status, milliseconds. No query, no header, no body.

    It also notes the moment at which the request came (see `app.web.deps.ReceivedAt`).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["received_at"] = now()
        started = time.perf_counter()
        status = 0

        async def remember_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, remember_status)
            finally:
                log.info(
                    "request",
                    method=scope.get("method", "WEBSOCKET"),
                    path=scope["path"],
                    status=status,
                    ms=round((time.perf_counter() - started) * 1000, 1),
                )


class BodyLimit:
    """Refuses a request body that is too large: at once if its length is declared, else as it grows."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        too_large = not declared.isdigit() or int(declared) > MAX_BODY
        if too_large:
            await errors.too_large(scope)(scope, receive, send)
            return
        received = 0

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY:
                raise HTTPException(413)
            return message

        await self._app(scope, count, send)


class SecurityHeaders:
    """Adds the content policy and its companions to every answer, and lets hashed static files be kept."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_docs = scope["path"] == "/api/docs"
                headers["Content-Security-Policy"] = _DOCS_POLICY if is_docs else _POLICY
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
                if self._secure:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                if scope["path"].startswith("/static/"):
                    if b"v=" in scope["query_string"]:
                        headers["Cache-Control"] = _A_YEAR
                else:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, add_headers)
