"""Pages: the one Jinja environment, and how a template becomes a response."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from app.moments import utc_now
from app.settings import ROOT

STATIC = ROOT / "static"


@cache
def static_url(path: str) -> str:
    """Give the URL of a static file with a hash of its content, so that browsers may keep it for ever."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:12]
    return f"/static/{path}?v={digest}"


_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def ago(moment: datetime) -> str:
    """Say how long ago a moment was: "just now", "3 minutes ago", "2 days ago"."""
    seconds = (utc_now() - moment).total_seconds()
    for length, name in _STEPS:
        count = int(seconds // length)
        if count:
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def time_left(deadline: int) -> str:
    """Say how long it is until a moment in milliseconds since the epoch: "3 minutes left", "2 days left"."""
    seconds = max(0, deadline / 1000 - utc_now().timestamp())
    for length, name in _STEPS:
        count = int(seconds // length)
        if count:
            return f"{count} {name}{'' if count == 1 else 's'} left"
    return f"{seconds:.0f} seconds left"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["static_url"] = static_url
    environment.filters["ago"] = ago
    environment.filters["time_left"] = time_left
    return environment


ENVIRONMENT = _environment()


def fragment(template: str, **context: Any) -> str:
    """Render a part of a page."""
    return ENVIRONMENT.get_template(template).render(context)


def page(
    connection: HTTPConnection,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Answer with a page; who looks at it (`viewer`) was found by the accounts' dependency, if it ran."""
    context.setdefault("viewer", getattr(connection.state, "viewer", None))
    html = fragment(template, request_path=connection.url.path, **context)
    return HTMLResponse(html, status, {"Vary": "HX-Request-Type, Cookie", **(headers or {})})


def wants_partial(connection: HTTPConnection) -> bool:
    """Tell whether htmx asks for a part of a page rather than all of it."""
    return connection.headers.get("HX-Request-Type") == "partial"
