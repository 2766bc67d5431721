"""The OpenAPI description of the API, and the page that shows it."""

import asyncio
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.responses import Response

from app.core import json
from app.core.settings import Settings
from app.core.web.addresses import site_url
from app.core.web.bodies import referred_schemas
from app.core.web.channels import MessageChannel, asyncapi, servers
from app.core.web.conditional import etag_of
from app.core.web.descriptions import add_examples, open_sent
from app.core.web.paths import is_api, schema_of
from app.core.web.problems import derived_problems, problem_schemas
from app.core.web.render import page

router = APIRouter(include_in_schema=False)

_DESCRIPTION = """Everything a page can do, a program can do.

Send `Authorization: Bearer TOKEN`; get a token from `POST /api/v1/accounts` or `POST /api/v1/tokens`.
Give a request a header `Idempotency-Key` to send it again if no answer comes: it is carried out once.
Errors are RFC 9457 problems with a stable `code`. Games are followed live at
`WS /api/v1/games/{id}/socket` or `GET /api/v1/games/{id}/stream`.
"""
_LICENCE = {"name": "AGPL-3.0-or-later", "url": "https://www.gnu.org/licenses/agpl-3.0.html"}
_TAGS = {
    "accounts": "The account of the token: its security, notifications, devices and data",
    "boards of the day": "One board a day for everybody at each game for one",
    "challenges": "Finding an opponent",
    "computers": "Computer players, hints and evaluations",
    "dumps": "What is public, as files for everybody",
    "games": "Games, moves, and what is said and known about them",
    "golden nugget": "Records, entries, rankings, runs and competitions of Golden Nugget",
    "health": "Checks for load balancers and monitors",
    "ladders": "Ladders of the games for two",
    "leaderboards": "Ratings and best scores",
    "lessons": "Courses on the rules of games",
    "messages": "Messages between players",
    "moderation": "Reports about players, and what moderators do",
    "players": "Players, their games, and relations between them",
    "puzzles": "Puzzles and attempts at them",
    "races": "Races at solitaire games",
    "studies": "Trees of variations",
    "teams": "Teams and their members",
    "tournaments": "Tournaments, the calendar and seasons",
}


@router.get("/api/docs")
async def docs() -> Response:
    """Show the API's description."""
    return page("pages/api_docs.html")


@router.get("/api/v1/openapi.json")
async def openapi_description(request: Request) -> Response:
    """Return the API's description. Making it takes most of a second, in which moves must not wait."""
    return await _described(request.app.openapi)


@router.get("/api/v1/asyncapi.json")
async def asyncapi_description(request: Request) -> Response:
    """Return the description of sockets and streams."""
    site = site_url(request)
    return await _described(lambda: request.app.state.asyncapi() | {"servers": servers(site)})


async def _described(describe: Callable[[], dict[str, Any]]) -> Response:
    content = await asyncio.to_thread(lambda: json.encode(describe()))
    return Response(content, headers=etag_of(content), media_type="application/json")


def describe(app: FastAPI, settings: Settings, channels: Iterable[MessageChannel]) -> None:
    """Make the application describe its routes, with names that come from paths and not from the code."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _description(app, _described_routes(app), settings)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    app.state.asyncapi = cache(lambda: asyncapi(app.openapi()["info"], channels))


def _described_routes(app: FastAPI) -> list[APIRoute]:
    routes = [route for route in app.routes if isinstance(route, APIRoute) and route.include_in_schema]
    for route in routes:
        problems = derived_problems(route) if is_api(route.path) else {}
        route.operation_id, route.responses = _name_of(route), problems | route.responses
    return routes


def _name_of(route: APIRoute) -> str:
    """Return the name of an operation, such as `post_games_game_id_moves`."""
    method = min(route.methods or ())
    path = route.path_format.removeprefix("/api/v1").replace("-", "_").replace("{", "").replace("}", "")
    return method.lower() + path.replace("/", "_")


def _description(app: FastAPI, routes: list[APIRoute], settings: Settings) -> dict[str, Any]:
    schema = get_openapi(
        title=app.title,
        version=app.version,
        description=_DESCRIPTION,
        contact=_contact(settings),
        license_info=_LICENCE,
        servers=[{"url": settings.public_url or "/"}],
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
        routes=routes,
        separate_input_output_schemas=False,  # whose names would change with each default
    )
    schemas = schema["components"]["schemas"]
    schemas |= referred_schemas() | problem_schemas()
    add_examples(schemas)
    text = json.encode(schema).decode()
    for name in {name for name in schemas if f'/{name}"' not in text}:
        del schemas[name]  # is the type of a member that is shown as another one (`app.core.web.shown`)
    for route in routes:
        for method in route.methods or ():
            operation = schema["paths"][route.path_format][method.lower()]
            operation.setdefault("security", [])  # needs no token
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["schema"] |= schema_of(route.param_convertors[parameter["name"]])
    operations = (operation for path in schema["paths"].values() for operation in path.values())
    open_sent(schemas, (operation.get("requestBody") for operation in operations))
    return schema


def _contact(settings: Settings) -> dict[str, str] | None:
    if settings.contact is None:
        return None
    address = settings.contact.removeprefix("mailto:")
    return {"email" if address != settings.contact else "url": address}
