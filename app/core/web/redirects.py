"""Redirects within the site, for htmx and for plain forms."""

from starlette.responses import RedirectResponse, Response

from app.core.web.render import wants_htmx


def go(url: str) -> Response:
    """Return a redirect to another page of the site, as htmx or a plain form understands it."""
    redirect = RedirectResponse(url, 303)  # quotes what a header may not have
    if wants_htmx():
        return Response(headers={"HX-Redirect": redirect.headers["Location"]})
    return redirect


def stay_or_go(url: str) -> Response:
    """Return an answer after which htmx stays on its live page, and a plain form goes to another one."""
    return Response(status_code=204) if wants_htmx() else go(url)
