"""Redirects within the site, for htmx and for plain forms."""

from starlette.responses import RedirectResponse, Response

from app.core.web.render import wants_htmx


def go(url: str) -> Response:
    """Return a redirect to another page of the site, as htmx or a plain form understands it."""
    redirect = RedirectResponse(url, 303)  # quotes what a header may not have
    if wants_htmx():
        return Response(headers={"HX-Redirect": redirect.headers["Location"]})
    return redirect
