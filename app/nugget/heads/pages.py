"""Files about the ledger for programs of other sites: the keys, and a feed of the signed heads."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from app.core import json
from app.core.i18n.text import Text, _
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.core.web.shown import example
from app.nugget.heads.service import Heads, KeyShown


class PublicKey(BaseModel):
    """A public key; `kid` is the `key_id` of what it signs."""

    kty: Annotated[str, example("OKP")] = "OKP"
    crv: Annotated[str, example("Ed25519")] = "Ed25519"
    use: Annotated[str, example("sig")] = "sig"
    kid: Annotated[str, example("630dcd2966c43366")]
    x: Annotated[str, example("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")]
    since: datetime


class PublicKeys(BaseModel):
    """The public keys with which signatures of this server are checked; the first one signs now."""

    keys: list[PublicKey]

    @classmethod
    def of(cls, keys: list[KeyShown]) -> Self:
        """Return the keys as programs find them."""
        return cls(keys=[PublicKey(kid=key.key_id, x=key.public, since=key.made_at) for key in keys])


router = APIRouter(include_in_schema=False)


@router.get("/.well-known/gorrion-keys.json")
async def keys(heads: Part[Heads]) -> PublicKeys:
    """Return the public keys with which signatures of this server are checked."""
    return PublicKeys.of(await heads.keys())


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
