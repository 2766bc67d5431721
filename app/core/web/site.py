"""What a site has besides its pages: help, files for crawlers, and what browsers need to install it."""

from datetime import timedelta
from importlib.metadata import version

from fastapi import APIRouter
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from app.core.errors import NotFoundError
from app.core.moments import utc_now
from app.core.settings import Settings
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import keyless
from app.core.web.joined import FOLDER
from app.core.web.render import page

router = APIRouter(include_in_schema=False)

_VERSION = version("gorrion")
_CONTACT_IS_VALID_FOR = timedelta(days=180)
_ROBOTS = "User-agent: *\nDisallow: /account\nDisallow: /import\n"


@router.get("/help")
async def help_page(settings: Part[Settings]) -> Response:
    """Answer common questions, and say how to reach the operators."""
    return page("pages/help.html", contact=settings.contact)


@router.get("/about")
async def about(settings: Part[Settings]) -> Response:
    """Show which software runs here, its licence and source, and who invented the games."""
    return page("pages/about.html", version=_VERSION, source=settings.source)


@router.get("/terms")
async def terms(settings: Part[Settings]) -> Response:
    """Show what players may expect, and what is expected of them."""
    return page("pages/terms.html", operator=settings.operator)


@router.get("/contact")
async def contact(settings: Part[Settings]) -> Response:
    """Show who runs the site, and how to reach them."""
    return page(
        "pages/contact.html",
        operator=settings.operator,
        contact=settings.contact,
        security_contact=settings.security_contact,
    )


@router.get("/offline")
async def offline() -> Response:
    """Return the page that the service worker shows without a connection, the same for all viewers."""
    with keyless():
        return page("pages/offline.html", viewer=None)


@router.get("/service-worker.js")
async def service_worker() -> Response:
    """Return the service worker, at the root so that it serves the whole site."""
    return FileResponse(FOLDER / "js" / "service_worker.js", headers={"Cache-Control": "no-cache"})


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Return the icon, for programs that look for it at this address."""
    return FileResponse(FOLDER / "icons" / "favicon.ico", headers={"Cache-Control": "public, max-age=86400"})


@router.get("/.well-known/change-password")
async def change_password() -> Response:
    """Redirect browsers and password managers to the page on which the password is changed."""
    return RedirectResponse("/account/security", 302)


@router.get("/robots.txt")
async def robots(site_url: SiteUrl) -> Response:
    """Return what crawlers should leave out."""
    return PlainTextResponse(f"{_ROBOTS}\nSitemap: {site_url}/sitemap.xml\n")


@router.get("/.well-known/security.txt")
async def security_txt(settings: Part[Settings]) -> PlainTextResponse:
    """Return where to report a vulnerability (RFC 9116). Raise NotFoundError if no contact is set."""
    if settings.security_contact is None:
        raise NotFoundError("page")
    expires = (utc_now() + _CONTACT_IS_VALID_FOR).strftime("%Y-%m-%dT00:00:00Z")
    return PlainTextResponse(f"Contact: {settings.security_contact}\nExpires: {expires}\n")
