"""Redirects within the site, for htmx and for plain forms."""

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from app.core.web.render import wants_htmx


def go(request: HTTPConnection, url: str) -> Response:
    """Return a redirect to another page of the site, as htmx or a plain form understands it."""
    redirect = RedirectResponse(url, 303)  # quotes what a header may not have
    if wants_htmx(request):
        return Response(headers={"HX-Redirect": redirect.headers["Location"]})
    return redirect
