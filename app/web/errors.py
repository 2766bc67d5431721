"""How errors become answers: problem+json for programs, a fragment for htmx, a page for people."""

from http import HTTPStatus
from typing import Any

import asyncpg
import orjson
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from app.errors import AppError, ThrottledError, members
from app.web.render import fragment, page

log = structlog.get_logger()

_OF_STATUS = {
    400: ("bad_request", "That request could not be read."),
    404: ("not_found", "There is nothing at this address. Check it for a typo, or start at the home page."),
    405: ("method_not_allowed", "This address does not answer to that method."),
}
_TITLES = {
    401: "Who is there?",
    403: "Not this time",
    404: "Nothing perches here",
    409: "A little late",
    413: "Too much at once",
    422: "That does not fit",
    429: "One moment, please",
    500: "Something broke",
    503: "Back in a moment",
}
# SQLSTATE classes: connection, resources, an object that is not ready, an operator's intervention.
_AWAY = ("08", "53", "55", "57")
_TOO_LARGE = AppError("too_large", 413, "That was more than the server takes at once.")
_UNAVAILABLE = AppError(
    "unavailable", 503, "The server cannot reach its database just now. Try again in a moment."
)
_INTERNAL = AppError(
    "internal", 500, "Something went wrong on our side, and it has been written down. Nothing was lost."
)


def install(app: FastAPI) -> None:
    """Let the application answer every error in our own voice."""
    app.add_exception_handler(AppError, _on_app_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http_exception)
    for unavailable in (OSError, asyncpg.InterfaceError, PoolTimeoutError):
        app.add_exception_handler(unavailable, _on_unavailable)
    for refused in (asyncpg.PostgresError, DBAPIError):
        app.add_exception_handler(refused, _on_database_error)
    app.add_exception_handler(Exception, _on_exception)


def answer(request: Request, error: AppError) -> Response:
    """Give the response that tells an error to whoever asked."""
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, ThrottledError) else {}
    if request.url.path.startswith("/api/"):
        if error.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(
            orjson.dumps(problem(error)), error.status, headers, media_type="application/problem+json"
        )
    if request.headers.get("HX-Request"):
        return HTMLResponse(fragment("partials/notice.html", message=error.message), error.status, headers)
    return page(
        request,
        "pages/error.html",
        status=error.status,
        headers=headers,
        title=_TITLES.get(error.status, HTTPStatus(error.status).phrase),
        detail=error.message,
        error_status=error.status,
    )


def too_large(scope: Scope) -> Response:
    """Give the response to a request whose body is too large."""
    return answer(Request(scope), _TOO_LARGE)


def problem(error: AppError) -> dict[str, Any]:
    """Give an error as an RFC 9457 problem."""
    return {
        "type": f"urn:gorrion:problem:{error.code}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": error.message,
        "code": error.code,
        **members(error),
    }


async def _on_app_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, AppError)
    return answer(request, error)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"where": ".".join(str(part) for part in fault["loc"]), "message": fault["msg"]}
        for fault in error.errors()
    ]
    told = "; ".join(f"{fault['where']}: {fault['message']}" for fault in faults)
    return answer(
        request,
        AppError("invalid_request", 422, f"Some of that does not fit. {told}", extra={"errors": faults}),
    )


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return answer(request, _TOO_LARGE)
    code, message = _OF_STATUS.get(error.status_code, ("http_error", str(error.detail)))
    response = answer(request, AppError(code, error.status_code, message))
    response.headers.update(error.headers or {})
    return response


async def _on_unavailable(request: Request, error: Exception) -> Response:
    log.error("database_unavailable", error=repr(error))
    return answer(request, _UNAVAILABLE)


async def _on_database_error(request: Request, error: Exception) -> Response:
    """Answer for a PostgreSQL that is away; what it refuses for any other reason is a bug of ours."""
    sqlstate: str | None = getattr(getattr(error, "orig", error), "sqlstate", None)
    if sqlstate is not None and not sqlstate.startswith(_AWAY):
        raise error
    return await _on_unavailable(request, error)


async def _on_exception(request: Request, _error: Exception) -> Response:
    return answer(request, _INTERNAL)
