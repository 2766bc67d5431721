"""The pages that other sites frame, and the oEmbed endpoint, which tells them how."""

from typing import Annotated, Any, Literal
from urllib.parse import quote, urlsplit

from fastapi import Query
from markupsafe import escape
from starlette.responses import JSONResponse, Response

from app.core.errors import AppError, ForbiddenError, NotFoundError
from app.core.i18n.text import _
from app.core.web.deps import Part, SiteUrl
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING
from app.play.games.boards.board import Theme
from app.play.games.boards.film import SECONDS
from app.site.embeds.service import BOARD, ENTRY, GAME, Embed, Embeds

router = page_router(dependencies=[COMPUTING])

_WIDTH, _HEIGHT = 480, 620
_A_DAY = 86_400  # seconds
_FOR_ALL = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}

Side = Annotated[int, Query(ge=1, le=100_000)]


@router.get("/embed" + GAME)
async def game(game_id: str, embeds: Part[Embeds], theme: Theme = "system") -> Response:
    """Show a game that plays by itself."""
    return _page(await embeds.game(game_id, theme), theme)


@router.get("/embed" + ENTRY)
async def entry(entry_id: str, embeds: Part[Embeds], theme: Theme = "system") -> Response:
    """Show the figures of an entry, and one of its boards."""
    return _page(await embeds.entry(entry_id, theme), theme)


@router.get("/embed" + BOARD)
async def board(entry_id: str, number: int, embeds: Part[Embeds], theme: Theme = "system") -> Response:
    """Show a board of an entry that plays by itself."""
    return _page(await embeds.board(entry_id, number, theme), theme)


def _page(embed: Embed, theme: Theme) -> Response:
    return page("pages/embed.html", embed=embed, theme=theme, step=round(SECONDS * 1000))


@router.get("/oembed")
async def oembed(
    site_url: SiteUrl,
    embeds: Part[Embeds],
    url: Annotated[str, Query(max_length=2_000)],
    format: Literal["json", "xml"] = "json",  # noqa: A002 - the name is oEmbed's
    maxwidth: Side = _WIDTH,
    maxheight: Side = _HEIGHT,
) -> Response:
    """Return how to embed a page of this site (https://oembed.com)."""
    if format == "xml":
        raise AppError("not_implemented", 501, _("Only JSON is available. Use format=json."))
    try:
        embed = await embeds.at(_path_of(url, site_url))
    except ForbiddenError as error:
        raise AppError("not_public", 401, error.message) from None
    width, height = min(_WIDTH, maxwidth), min(_HEIGHT, maxheight)
    content: dict[str, Any] = {
        "type": "rich",
        "version": "1.0",
        "title": str(embed.title),
        "provider_name": "Gorrion",
        "provider_url": site_url,
        "cache_age": _A_DAY,
        "thumbnail_url": f"{site_url}{embed.card}",
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
        "html": frame(f"{site_url}/embed{embed.path}", width, height),
        "width": width,
        "height": height,
    }
    if embed.author is not None:
        content |= {"author_name": embed.author, "author_url": f"{site_url}/players/{quote(embed.author)}"}
    return JSONResponse(content, headers=_FOR_ALL)


def _path_of(url: str, site_url: str) -> str:
    """Return the path of an address of this site. Raise NotFoundError for any other one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise NotFoundError("page") from None
    if f"{parts.scheme}://{parts.netloc}" != site_url:
        raise NotFoundError("page")
    return parts.path


def frame(address: str, width: int, height: int) -> str:
    """Return the HTML by which a page of another site frames an address."""
    return (
        f'<iframe src="{escape(address)}" width="{width}" height="{height}" title="Gorrion" '
        'style="border:0;max-width:100%" loading="lazy"></iframe>'
    )
