"""The web application: its middleware and its routes."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from app.core.feature import Feature
from app.core.settings import Settings
from app.core.web import api_docs, errors, health, site
from app.core.web.bounds import RequestBounds
from app.core.web.conditional import Conditional, HeadAsGet
from app.core.web.current import CurrentConnection
from app.core.web.language import ReaderLanguage
from app.core.web.logs import configure_logs
from app.core.web.middleware import (
    Compression,
    Embedded,
    ReadYourWrites,
    RequestLog,
    SecurityHeaders,
    wrote_cookie,
)
from app.core.web.once import Once
from app.core.web.origin import SameOrigin
from app.core.web.sections import Sections
from app.core.web.static import Static
from app.live.quota import RequestsOfNetworks
from app.people.identity.viewer import current_viewer
from app.server.features import FEATURES
from app.server.lifespan import lifespan

_TYPE = re.compile(r":\w+(?=})")  # of a parameter in a path


def create_app(settings: Settings | None = None, features: Sequence[Feature] = FEATURES) -> FastAPI:
    """Return the web application, which connects to its database when it starts.

    Starting raises ValueError if the settings have no database URL.
    """
    settings = settings or Settings()
    configure_logs(settings.log_level)
    web = FastAPI(
        title="Gorrion",
        version="1",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # `app.core.web.errors` does it, without trusting the request's Host
        openapi_url=None,  # `app.core.web.api_docs` serves it
        telemetry={"metrics": False, "logs": False},  # logs would have messages of exceptions
        lifespan=partial(lifespan, settings, features),
        middleware=[  # the outermost first
            Middleware(RequestsOfNetworks, settings=settings),
            Middleware(RequestLog),
            Middleware(HeadAsGet),
            Middleware(Embedded),
            Middleware(CurrentConnection),
            Middleware(SecurityHeaders, secure=settings.secure),
            Middleware(Conditional),
            Middleware(Compression),
            Middleware(ReaderLanguage, secure=settings.secure),
            Middleware(errors.ErrorResponses),
            Middleware(RequestBounds),
            Middleware(SameOrigin, public_url=settings.public_url),
            *_of_replica(settings),
            Middleware(Once),
        ],
    )
    errors.install(web, current_viewer)
    web.add_api_websocket_route("/static/{path:path}", errors.no_such_socket)  # the files know requests only
    web.mount("/static", Static())  # first, because it is asked for most
    for router in (*_routers(features), health.router):
        # FastAPI would build the routes of an included router again, and look for each request in it twice.
        web.router.routes.extend(router.routes)
    for path in _socket_paths(web):
        if (untyped := _TYPE.sub("", path)) != path:
            web.add_api_websocket_route(untyped, errors.no_such_subject)
    for router in (api_docs.router, site.router):
        web.include_router(router, dependencies=[Depends(current_viewer)])
    web.add_api_websocket_route("/{path:path}", errors.no_such_socket)  # for paths that nothing above matches
    web.router.middleware_stack = Sections(web.router)
    api_docs.describe(web, settings, [channel for each in features for channel in each.channels])
    return web


def _routers(features: Sequence[Feature]) -> Iterator[APIRouter]:
    """Yield the routers in the order in which they are tried: first those of sockets, which are few."""
    for role in ("live", "api", "pages"):
        for feature in features:
            yield from feature.routers(role)


def _socket_paths(web: FastAPI) -> list[str]:
    return [route.path for route in web.routes if isinstance(route, WebSocketRoute)]


def _of_replica(settings: Settings) -> list[Middleware]:
    cookie = wrote_cookie(settings)
    return [] if cookie is None else [Middleware(ReadYourWrites, cookie=cookie)]
