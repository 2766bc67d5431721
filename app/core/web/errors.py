"""Errors as responses: problem+json for programs, a fragment for htmx, a page for people."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote, urlencode

import asyncpg
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from app.core import json
from app.core.database.session import DATABASE_ERRORS, cause_of, is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.errors import (
    AppError,
    BeyondLastPageError,
    Fault,
    InvalidError,
    LogInFirstError,
    NeedsAccountError,
    NotConfirmedError,
    RenamedError,
    RetryLaterError,
    StaleError,
    TooManyGuestsError,
    UnavailableError,
    members,
)
from app.core.i18n.text import Text, _, joined
from app.core.web import current
from app.core.web.addresses import page_of
from app.core.web.conditional import methods_of
from app.core.web.forms import messages_of
from app.core.web.origin import preflight
from app.core.web.paths import is_embed, is_for_programs
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx

log = structlog.get_logger()

_OF_STATUS = {
    400: ("bad_request", _("The request could not be read.")),
    404: (
        "not_found",
        _("There is nothing at this address. Check it for a typo, or start at the home page."),
    ),
    405: ("method_not_allowed", _("This address does not accept that method.")),
    413: (
        "too_large",
        _("The request is too large: it has more than 512 KB, or too many parameters or fields."),
    ),
}
_TITLES = {
    400: _("Unreadable request"),
    401: _("Not logged in"),
    403: _("Not allowed"),
    404: _("Page not found"),
    405: _("Not possible here"),
    409: _("A little late"),
    410: _("Link no longer valid"),
    413: _("Request too large"),
    422: _("Invalid input"),
    429: _("One moment, please"),
    500: _("Something broke"),
    503: _("Back in a moment"),
}
_MOST_FAULTS = 10  # of a request, which may have thousands
_CLEARER = {
    "json_invalid": "This is not JSON",
    "model_attributes_type": "Input should be an object",
    "model_type": "Input should be an object",
}
"""What programs are told by the type of Pydantic's error, where its own words are about Python."""
# Close codes of websockets; clients reconnect after all but the last one.
_INTERNAL_ERROR = 1011
_SERVICE_RESTART = 1012
_NOT_FOUND = 4404

_GONE = (ClientDisconnect, WebSocketDisconnect, ClientDisconnected)
"""What is raised when the client has left: no error of ours, and nobody is left to answer."""

Identify = Callable[[Request], Awaitable[object]]
"""Finds out who the viewer is, and sets the language of the request to that of the account."""


class SocketClosed(Exception):  # noqa: N818 - it is how a refused websocket ends
    """The websocket has been accepted and closed with a code, so nothing is left to do."""


def install(app: FastAPI, identify: Identify) -> None:
    """Register the handlers of all errors that have a response of their own.

    `identify` is for pages of requests that no route serves, since it is the routes that identify viewers.
    """
    app.add_exception_handler(SocketClosed, _on_socket_closed)
    app.add_exception_handler(AppError, _on_app_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, partial(_on_http_exception, identify))
    for kind in DATABASE_ERRORS:
        app.add_exception_handler(kind, _on_database_error)


class ErrorResponses:
    """ASGI middleware that answers errors for which no handler is installed.

    These are the errors of the middlewares inside this one, and bugs, which are logged and answered with 500.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http":
            await self._serve_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def note_start(message: Message) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, note_start)
        except AppError as error:
            await answer(error)(scope, receive, send)
        except HTTPException as error:
            await answer(_of_status(error))(scope, receive, send)
        except _GONE:
            pass
        except asyncio.CancelledError:  # the server shuts down, and has waited long enough for this request
            if not has_started:
                await answer(UnavailableError())(scope, receive, send)
        except Exception:
            log.exception("unexpected_error")
            # Once a response has started, all that can be done is closing the connection, as the server does.
            if not has_started:
                await answer(_unexpected(scope))(scope, receive, send)

    async def _serve_websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except _GONE:
            pass
        except asyncio.CancelledError:  # the server shuts down
            scope["state"]["close_code"] = _SERVICE_RESTART
            await _close(send, _SERVICE_RESTART)
        except Exception:
            log.exception("unexpected_error")
            scope["state"]["close_code"] = _INTERNAL_ERROR


async def _close(send: Send, code: int) -> None:
    """Close a websocket that may have been accepted, or closed."""
    for message in ({"type": "websocket.accept"}, {"type": "websocket.close", "code": code}):
        with contextlib.suppress(RuntimeError):  # this is not the next thing to send
            await send(message)


def answer(error: AppError) -> Response:
    """Return the response to the current request, which failed with `error`."""
    request = current.connection()
    request.state["error"] = error.code
    if isinstance(error, NotConfirmedError):
        return go(f"/account/confirm?{urlencode({'next': page_of(request)})}")
    if isinstance(error, LogInFirstError):
        return go(f"/login?{urlencode({'next': page_of(request)})}")
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, RetryLaterError) else {}
    if is_for_programs(request.url.path):
        if error.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(
            json.encode(problem(error)),
            error.status,
            headers,
            media_type="application/problem+json",
        )
    if isinstance(error, RenamedError):
        path, mark, query = page_of(request).partition("?")
        parts = (_renamed(part, error) for part in path.split("/"))
        return RedirectResponse("/".join(parts) + mark + query, 302)
    if wants_htmx():
        # The page stays as it was, and so does its address.
        headers["HX-Push-Url"] = "false"
        return HTMLResponse(notice(error), error.status, headers)
    return page(
        "pages/embed_error.html" if is_embed(request.url.path) else "pages/error.html",
        status=error.status,
        headers=headers,
        title=_title(error),
        detail=error.message,
        error_status=error.status,
        remedies=_remedies(error),
    )


def _renamed(part: str, error: RenamedError) -> str:
    """Return a part of a path with the present name of a player in place of the former one.

    The name of a file begins with that of its player, which has no dot.
    """
    name, dot, form = part.partition(".")
    return f"{quote(error.present)}{dot}{form}" if unquote(name) == error.former else part


def _title(error: AppError) -> Text | str:
    if isinstance(error, UnreadableError):
        return _TITLES[500]
    return _TITLES.get(error.status, HTTPStatus(error.status).phrase)


def notice(error: AppError) -> str:
    """Return an error as the fragment that shows it on the page."""
    remedies = _remedies(error)
    return fragment("partials/notice.html", message=error.message, remedies=remedies)


def _remedies(error: AppError) -> list[tuple[str, str]]:
    """Return the links that let the caller try again: pairs of label and address.

    Only errors that have such links need the current request.
    """
    if isinstance(error, StaleError):
        return [(_("Open it again"), page_of(current.connection()))]
    if isinstance(error, BeyondLastPageError):
        first = current.connection().url.remove_query_params(error.parameter)
        return [(_("First page"), str(first.replace(scheme="", netloc="")))]
    is_unknown = error.status == HTTPStatus.UNAUTHORIZED
    if not is_unknown and not isinstance(error, NeedsAccountError | TooManyGuestsError):
        return []
    back = urlencode({"next": page_of(current.connection())})
    register, log_in = (_("Register"), f"/register?{back}"), (_("Log in"), f"/login?{back}")
    return [log_in, register] if is_unknown else [register, log_in]


async def no_such_subject(websocket: WebSocket) -> None:
    """Accept a websocket of a game (a race, a study) that cannot exist; close it with a final code."""
    await websocket.accept()
    await websocket.close(_NOT_FOUND)


async def no_such_socket(websocket: WebSocket) -> None:
    """Refuse the handshake of a websocket at an address that has none."""
    error = _of_status(HTTPException(HTTPStatus.NOT_FOUND))
    websocket.state["close_code"] = error.status  # for the log line of `app.core.web.middleware.RequestLog`
    content = json.encode(problem(error))
    await websocket.send_denial_response(
        Response(content, error.status, media_type="application/problem+json")
    )


def problem(error: AppError) -> dict[str, Any]:
    """Return an error as an RFC 9457 problem."""
    return {
        "type": f"urn:gorrion:problem:{error.code}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": error.message,
        "code": error.code,
        **members(error),
    }


def invalid_request(error: ValidationError | RequestValidationError) -> InvalidError:
    """Return what is wrong with a request that has another form than its schema says: the first faults."""
    faults: list[Fault] = [
        {
            "where": ".".join(map(str, fault["loc"])),
            "message": _CLEARER.get(fault["type"], fault["msg"]),
        }
        for fault in error.errors()[:_MOST_FAULTS]
    ]
    listed = "; ".join(": ".join(filter(None, (fault["where"], fault["message"]))) for fault in faults)
    listed = listed.rstrip(".")
    return InvalidError(
        "invalid_request", _("Some fields are invalid: %(listed)s.", listed=listed), extra={"errors": faults}
    )


def _invalid_page(error: RequestValidationError) -> InvalidError:
    """Return what people are told of such a request, which no link or form of the site sends."""
    is_in_form = all(fault["loc"][0] == "body" for fault in error.errors())
    message = joined(*messages_of(error).values()) if is_in_form else _OF_STATUS[404][1]
    return InvalidError("invalid_request", message)


def _of_status(error: HTTPException) -> AppError:
    code, message = _OF_STATUS.get(error.status_code, ("http_error", Text(str(error.detail))))
    return AppError(code, error.status_code, message)


def _unexpected(scope: Scope) -> AppError:
    request_id = scope["state"]["request_id"]
    return AppError(
        "internal",
        500,
        _(
            "Something went wrong on our side. The error has been logged as %(request_id)s.",
            request_id=request_id,
        ),
        extra={"request_id": request_id},
    )


async def _on_socket_closed(_connection: HTTPConnection, _error: Exception) -> Any:
    """Do nothing."""


async def _on_app_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, AppError)
    return answer(error)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    is_of_program = is_for_programs(request.url.path)
    return answer(invalid_request(error) if is_of_program else _invalid_page(error))


async def _on_http_exception(identify: Identify, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    allowed = {}
    path, query = request.url.path, request.url.query
    without_slash = path.rstrip("/")
    if without_slash != path and methods_of(request.app, without_slash):
        return RedirectResponse(without_slash + (f"?{query}" if query else ""))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # No route lists the methods of static files.
        allowed["Allow"] = ", ".join(sorted(methods_of(request.app, path) or current.SAFE_METHODS))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=allowed | preflight(path, allowed["Allow"]))
    if not (is_for_programs(path) or path.startswith("/static/")):
        with contextlib.suppress(*DATABASE_ERRORS):
            await identify(request)
    response = answer(_of_status(error))
    response.headers.update({**(error.headers or {}), **allowed})
    return response


# Of U+0000 in a value of a type for text, and in JSON.
_BAD_TEXT = (asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)


async def _on_database_error(_request: Request, error: Exception) -> Response:
    """Answer 503 if PostgreSQL is unavailable, and 422 for text that it cannot store.

    Any other error of the database is a bug, so it is raised.
    """
    if isinstance(cause_of(error), _BAD_TEXT):
        return answer(InvalidError("bad_text", _("Text must not contain the character U+0000.")))
    if is_unavailable(error):
        return answer(UnavailableError())
    raise error
