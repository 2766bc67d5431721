"""Protection against cross-site request forgery by the headers Origin, Sec-Fetch-Site and Referer.

Browsers state with every unsafe request which page sent it, and a page cannot change that statement. So
forms need no token: a request that relies on a cookie must state that a page of this site sent it. Text
browsers know only the Referer, which counts if there is nothing else.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core.errors import ForbiddenError
from app.core.i18n.text import _
from app.core.web.conditional import methods_of
from app.core.web.current import SAFE_METHODS, OfRequests
from app.core.web.paths import is_api, is_embed

_EXPOSED = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, Retry-After, "
    "WWW-Authenticate, X-Request-ID"
)


class SameOrigin(OfRequests):
    """ASGI middleware that refuses unsafe requests unless a page of this site sent them.

    Exempt are requests to the JSON API, those by which mail programs unsubscribe (RFC 8058), which ignore
    cookies, and those that no route serves: the router says why.
    """

    def __init__(self, app: ASGIApp, *, public_url: str | None) -> None:
        super().__init__(app)
        self._public_url = public_url

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raise ForbiddenError if it may be forged."""
        is_unsafe = scope["method"] not in SAFE_METHODS
        if is_unsafe and not is_api(scope["path"]) and scope["path"] != "/unsubscribe":
            try:
                check_same_origin(Headers(scope=scope), self._public_url)
            except ForbiddenError:
                if scope["method"] in methods_of(scope["app"], scope["path"]):
                    raise
        await self._app(scope, receive, send)


def check_same_origin(headers: Headers, public_url: str | None) -> None:
    """Raise ForbiddenError `cross_site` or `no_origin` unless a page of this site sent the request."""
    origin = headers.get("origin")
    if origin is not None:
        if not _is_ours(origin, headers.get("host", ""), public_url):
            raise ForbiddenError("cross_site", _("This request came from another site, so it was refused."))
        return
    site = headers.get("sec-fetch-site")
    if site in ("same-origin", "none"):
        return
    if site is None and _is_ours(_origin_of(headers.get("referer", "")), headers.get("host", ""), public_url):
        return
    raise ForbiddenError(
        "no_origin",
        _(
            "This request does not state which page sent it, so it was refused. Browsers send an Origin "
            "header; programs use /api/v1 with a token."
        ),
    )


def is_foreign(headers: Headers, public_url: str | None) -> bool:
    """Return whether a page of another site sent the request. Programs send no Origin and are not foreign."""
    origin = headers.get("origin")
    return origin is not None and not _is_ours(origin, headers.get("host", ""), public_url)


def _origin_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"


def _is_ours(origin: str, host: str, public_url: str | None) -> bool:
    if public_url is not None:
        return origin == public_url
    return host != "" and origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def sharing(path: str) -> dict[str, str]:
    """Return the headers that let pages of other sites read the response at a path, or that forbid it."""
    if is_embed(path):
        return {"Cross-Origin-Resource-Policy": "cross-origin"}
    if not is_api(path):
        return {"Cross-Origin-Resource-Policy": "same-origin"}
    return {
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": _EXPOSED,
    }


def preflight(path: str, methods: str) -> dict[str, str]:
    """Return the headers by which browsers learn which requests pages of other sites may send to a path."""
    if not is_api(path):
        return {}
    return {
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": "Authorization, Content-Type, *",  # the star leaves out Authorization
        "Access-Control-Max-Age": "86400",
    }
