"""The OpenAPI description of the API, and the page that shows it."""

import asyncio
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, Response

from app.web.problems import Problem
from app.web.render import page

router = APIRouter(include_in_schema=False)

_DESCRIPTION = """Everything a page can do, a program can do.

Send `Authorization: Bearer TOKEN`; get a token from `POST /api/v1/accounts` or `POST /api/v1/tokens`.
Give a request a header `Idempotency-Key` to send it again if no answer comes: it is carried out once.
Errors are RFC 9457 problems with a stable `code`. Games are followed live at
`WS /api/v1/games/{id}/socket` or `GET /api/v1/games/{id}/stream`.
"""


@router.get("/api/docs")
async def docs(request: Request) -> Response:
    """Show the API's description."""
    return page(request, "pages/api_docs.html")


@router.get("/api/v1/openapi.json")
async def openapi_description(request: Request) -> Response:
    """Return the API's description. Making it takes most of a second, in which moves must not wait."""
    return JSONResponse(await asyncio.to_thread(request.app.openapi))


def describe(app: FastAPI) -> None:
    """Add the schema of problems, which no route declares as its model, to the application's OpenAPI."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=_DESCRIPTION, routes=app.routes
            )
            schema["components"]["schemas"]["Problem"] = Problem.model_json_schema()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
