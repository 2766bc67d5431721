"""The reader's language: what the account is set to, else the one chosen here before, else the browser's."""

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core.i18n.languages import LANGUAGES, preferred, use
from app.core.web.addresses import PARAMETER
from app.core.web.current import with_headers
from app.core.web.paths import is_for_programs

_COOKIE = "gorrion-language"
_A_YEAR = 31_536_000  # seconds
_NO_PAGES = ("/static/", "/service-worker.js")  # that script's `lang` is its page's, and no choice


class ReaderLanguage:
    """ASGI middleware that sets the language of a request; `use_of_account` may set another one later.

    The address of a page with `?lang=pl` counts as a choice. The API is always in English.
    """

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in ("http", "websocket") or _has_no_language(scope["path"]):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        asked = connection.query_params.get(PARAMETER, "") if scope.get("query_string") else ""
        if asked not in LANGUAGES:
            use(_kept(connection) or preferred(connection.headers.get("accept-language", "")))
            await self._app(scope, receive, send)
            return
        use(asked)
        cookie = _cookie(asked, secure=self._secure)
        keeping = with_headers(send, lambda headers: headers.append("Set-Cookie", cookie))
        await self._app(scope, receive, keeping)


def _has_no_language(path: str) -> bool:
    return is_for_programs(path) or path.startswith(_NO_PAGES)


def use_of_account(connection: HTTPConnection, language: str | None) -> None:
    """Set the language of the request to the one that its account is set to, if it is set to one.

    The live connection of a page has the language of the page, which may have been drawn in another one.
    """
    is_live = connection.scope["type"] == "websocket"
    if language in LANGUAGES and not (is_live and connection.query_params.get(PARAMETER) in LANGUAGES):
        use(language)


def keep_language(response: Response, language: str, *, secure: bool) -> Response:
    """Return the response, which also makes the browser ask for a language from now on."""
    response.headers.append("Set-Cookie", _cookie(language, secure=secure))
    return response


def _kept(connection: HTTPConnection) -> str | None:
    language = connection.cookies.get(_COOKIE)
    return language if language in LANGUAGES else None


def _cookie(language: str, *, secure: bool) -> str:
    attributes = "; Secure" if secure else ""
    return f"{_COOKIE}={language}; Path=/; Max-Age={_A_YEAR}; SameSite=Lax; HttpOnly{attributes}"
