"""ASGI middlewares of every request: its id and log line, compression, and security headers.

Websocket connections pass `receive` and `send` through unwrapped: no middleware runs for each frame.
"""

import math
import secrets
import time
from functools import partial

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette_compress import CompressMiddleware

from app.core import metrics
from app.core.database.replica import tolerate_delay
from app.core.moments import now
from app.core.settings import Settings
from app.core.web.current import SAFE_METHODS, OfRequests, with_headers
from app.core.web.origin import sharing
from app.core.web.paths import is_api, is_embed

log = structlog.get_logger()

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
# The script of the API's documentation page adds inline styles.
_DOCS_POLICY = _POLICY + "; style-src 'self' 'unsafe-inline'"
# A film is a document with a style sheet of its own, also as a part of an embedded page.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_EMBED_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors *",
    )
)

_WITH_SECRETS = ("/account", "/appeal", "/email", "/login", "/password", "/register", "/unsubscribe")

_OF_READERS = (b"cookie", b"authorization")
_WROTE = "gorrion-wrote"


class RequestLog:
    """Logs one line for each request: id, method, path, status, milliseconds. No query, header or body.

    `scope["state"]` gets the id as `request_id` and the moment of arrival as `received_at`. What others store
    there is logged, too: the id of the `account` that asks, the code of an `error`, and the `close_code` of a
    websocket, which is its status. An endpoint that takes the function `log` out of it calls it itself, with
    these three.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = secrets.token_hex(8)
        state = scope.setdefault("state", {})
        log_end = partial(_log, scope.get("method", "WEBSOCKET"), scope["path"], started)
        state.update(received_at=now(), request_id=request_id, log=log_end)
        status = 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, note_status if scope["type"] == "http" else send)
            finally:
                if scope["type"] == "http":
                    _measure(scope, status, time.perf_counter() - started)
                if "log" in state:
                    log_end(state.get("close_code", status), state.get("account"), state.get("error"))


def _log(method: str, path: str, started: float, status: int, account: int | None, error: str | None) -> None:
    ms = round((time.perf_counter() - started) * 1000, 1)
    log.info("request", method=method, path=path, status=status, account=account, error=error, ms=ms)


def _measure(scope: Scope, status: int, seconds: float) -> None:
    # A router's prefix is part of FastAPI's own context only.
    route = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    template = getattr(route, "path", "other")
    metrics.REQUESTS.labels(template, status).inc()
    metrics.REQUEST_SECONDS.labels(template).observe(seconds)


class Compression(OfRequests):
    """Compresses responses, but neither streams, which must not wait, nor the pages of accounts.

    The size of a compressed response that has a secret and repeats a part of the request can reveal the
    secret (BREACH). No page has a token against forged requests; only those of accounts have secrets.

    All other answers say that they depend on what the client accepts, also those that were compressed before.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._compressed = CompressMiddleware(app)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if has_secrets(scope["path"]):
            await self._app(scope, receive, send)
            return

        def vary(headers: MutableHeaders) -> None:
            if "accept-encoding" not in headers.get("Vary", "").lower():
                headers.add_vary_header("Accept-Encoding")

        await self._compressed(scope, receive, with_headers(send, vary))


def has_secrets(path: str) -> bool:
    """Return whether the page of a path is about the secrets of an account, or was opened by one."""
    return path.startswith(_WITH_SECRETS)


class SecurityHeaders(OfRequests):
    """Adds the content security policy and other security headers to every response, those of pages to pages.

    Browsers keep static files, and pages without secrets for the way back to them; nothing else is cached.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        super().__init__(app)
        self._secure = secure

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = _policy(scope["path"], headers)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                if _is_html(headers):
                    headers["Cross-Origin-Opener-Policy"] = "same-origin"
                    headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
                for name, value in sharing(scope["path"]).items():
                    headers.setdefault(name, value)
                if self._secure:
                    headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
                if has_secrets(scope["path"]):
                    headers["X-Robots-Tag"] = "noindex"
                if message["status"] >= 400:
                    headers.setdefault("Cache-Control", "no-store")
                elif not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", _caching(scope, headers))
            await send(message)

        await self._app(scope, receive, add_headers)


def _is_html(headers: MutableHeaders) -> bool:
    return headers.get("Content-Type", "").startswith("text/html")


def _policy(path: str, headers: MutableHeaders) -> str:
    """Return the content security policy of a response: only embedded pages may be framed."""
    if headers.get("Content-Type", "").startswith("image/svg+xml"):
        return _PICTURE_POLICY
    if is_embed(path):
        return _EMBED_POLICY
    return _DOCS_POLICY if path == "/api/docs" else _POLICY


def _caching(scope: Scope, headers: MutableHeaders) -> str:
    """Return the caching of a response; with "no-cache", browsers can go back to a page without a request.

    A part of a page that htmx asked for is not kept: browsers would go back to it in place of the page.
    """
    is_page = scope["method"] == "GET" and _is_html(headers) and "HX-Request" not in Headers(scope=scope)
    return "private, no-cache" if is_page and not has_secrets(scope["path"]) else "no-store"


class Embedded(OfRequests):
    """Hides from pages that other sites frame who reads them, and sets no cookies for these.

    So they show nothing but what every visitor may see, and nobody can be tricked into a click as themselves.
    """

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_embed(scope["path"]):
            await self._app(scope, receive, send)
            return
        scope["headers"] = [each for each in scope["headers"] if each[0] not in _OF_READERS]

        def remove_cookies(headers: MutableHeaders) -> None:
            del headers["Set-Cookie"]

        await self._app(scope, receive, with_headers(send, remove_cookies))


def wrote_cookie(settings: Settings) -> str | None:
    """Return the cookie of a browser that has just written, or None if there is no replica.

    Pages set it, too, when a socket has written for them.
    """
    if settings.database_replica_url is None:
        return None
    seconds = math.ceil(settings.database_replica_behind) + 1
    return f"{_WROTE}=1; Max-Age={seconds}; Path=/; SameSite=lax" + ("; Secure" if settings.secure else "")


class ReadYourWrites(OfRequests):
    """Lets requests read from the replica unless their sender might miss what it has just written there.

    A browser that writes gets a cookie for as long as the replica may be behind. Programs get no cookies, so
    a request with a token reads from the primary. So do websockets, which show changes as they come.
    """

    def __init__(self, app: ASGIApp, *, cookie: str) -> None:
        super().__init__(app)
        self._cookie = cookie

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_writing = scope["method"] not in SAFE_METHODS
        if is_writing and is_api(scope["path"]):
            await self._app(scope, receive, send)
            return
        if is_writing:
            marking = with_headers(send, lambda headers: headers.append("Set-Cookie", self._cookie))
            await self._app(scope, receive, marking)
        elif _WROTE in (connection := HTTPConnection(scope)).cookies or "authorization" in connection.headers:
            await self._app(scope, receive, send)
        else:
            with tolerate_delay():
                await self._app(scope, receive, send)
