"""Files about the ledger for programs of other sites: the keys, and a feed of the signed heads."""

from datetime import datetime

from starlette.responses import Response

from app.core import json
from app.core.i18n.text import Text, _
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.core.web.routes import Router
from app.nugget.heads.service import Heads, PublicKey

router = Router(include_in_schema=False)


@router.get("/.well-known/gorrion-keys.json")
async def keys(heads: Part[Heads]) -> dict[str, list[PublicKey]]:
    """Return the public keys with which signatures of this server are checked."""
    return {"keys": await heads.keys()}


@router.get("/feeds/ledger.atom")
async def heads_feed(heads: Part[Heads], site_url: SiteUrl) -> Response:
    """Return the latest signed heads of the ledger, as a feed: whoever reads it keeps them."""
    entries = [
        FeedEntry(
            "/nugget/ledger",
            f"head-{head.number}",
            _("Head of the ledger: %(number)s", number=head.number),
            site_url,
            datetime.fromisoformat(head.signed_at),
            [Text(json.encode(head).decode())],
        )
        for head in await heads.latest()
    ]
    title = _("Heads of the ledger of Golden Nugget")
    return feed("/feeds/ledger.atom", "/nugget/ledger", title, entries, site_url)
