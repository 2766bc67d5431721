"""The Jinja environment, and templates as responses."""

from collections.abc import Mapping, MutableMapping
from datetime import date as datetime_date
from datetime import datetime
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from app.moments import utc_now
from app.settings import ROOT
from app.web.addresses import site_url
from app.web.static import HTMX, STYLES, static_url
from engine.game import OptionRange

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))  # seconds


def ago(moment: datetime) -> str:
    """Return how long ago a moment was: "just now", "3 minutes ago", "2 days ago"."""
    duration = _duration((utc_now() - moment).total_seconds())
    return f"{duration} ago" if duration else "just now"


def time_left(deadline: int) -> str:
    """Return the time until a moment in milliseconds since the epoch: "2 days left", "7 seconds left"."""
    seconds = max(0, deadline / 1000 - utc_now().timestamp())
    return f"{_duration(seconds) or f'{seconds:.0f} seconds'} left"


def _duration(seconds: float) -> str:
    """Return a duration in its largest whole unit, such as "3 minutes"; "" if it is below a minute."""
    for length, unit in _UNITS:
        count = int(seconds // length)
        if count:
            return counted(count, unit)
    return ""


def date(moment: datetime_date) -> str:
    """Return the day of a moment (or a day itself): "2026-11-21"."""
    return f"{moment:%Y-%m-%d}"


def minute(moment: datetime) -> str:
    """Return a moment to the minute: "2026-11-21 18:05"."""
    return f"{moment:%Y-%m-%d %H:%M}"


def second(moment: datetime) -> str:
    """Return a moment to the second: "2026-11-21 18:05:30"."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number of things: "1 game", "3 games", "2 entries"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def whole(number: float) -> str:
    """Return a number without its fraction: "1512"."""
    return f"{number:.0f}"


def signed(number: int) -> str:
    """Return a whole number with its sign: "+3", "-1", "0"."""
    return f"{number:+d}" if number else "0"


def sizes(allowed: OptionRange) -> list[tuple[int, str]]:
    """Return the sizes of a board as options of a select: (8, "8×8")."""
    return [(size, f"{size}×{size}") for size in range(allowed.minimum, allowed.maximum + 1)]


_AUTOMATIC = ("system", "auto")  # values that leave the choice to the browser
_FILTERS = (ago, time_left, date, minute, second, counted, whole, signed, sizes)


class _Environment(Environment):
    """Jinja's environment; a template copies its globals each time it is drawn, which a dict does fastest."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template."""
        return {**self.globals, **(d or {})}


def _environment() -> Environment:
    environment = _Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(
        static_url=static_url, styles_url=static_url(STYLES), htmx_url=static_url(HTMX)
    )
    environment.filters |= {function.__name__: function for function in _FILTERS}
    return environment


ENVIRONMENT = _environment()


def fragment(template: str, **context: Any) -> str:
    """Return a rendered template, usually a part of a page."""
    return ENVIRONMENT.get_template(template).render(context)


def page(
    connection: HTTPConnection,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Return a page as a response.

    The header names the viewer, whom a dependency of all pages identifies (see `app.identity.viewer`).
    A page for a request that reached no route, such as a 404, has none.
    """
    context.setdefault("viewer", getattr(connection.state, "viewer", None))
    html = fragment(
        template,
        request_path=connection.url.path,
        site_url=site_url(connection),
        root_attributes=_root_attributes(context["viewer"]),
        **context,
    )
    return HTMLResponse(html, status, {"Vary": "HX-Request-Type, Cookie", **(headers or {})})


def _root_attributes(viewer: Any) -> dict[str, str]:
    """Return the attributes of `<html>` by which styles and scripts know a viewer's preferences."""
    if viewer is None:
        return {}
    chosen = {name: value for name, value in viewer.preferences.items() if value not in _AUTOMATIC}
    return {"data-account": "", **{f"data-{name}": value for name, value in chosen.items()}}


def wants_htmx(connection: HTTPConnection) -> bool:
    """Return whether htmx sent the request, so that it gets a fragment."""
    return "HX-Request" in connection.headers


def wants_partial(connection: HTTPConnection) -> bool:
    """Return whether htmx asks for a part of a page rather than all of it."""
    return connection.headers.get("HX-Request-Type") == "partial"
