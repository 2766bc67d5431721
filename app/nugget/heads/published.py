"""What a site publishes about its ledger, and what its witnesses have seen of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from app.nugget.heads.fetching import LEDGER, NotShownError, Site, SiteError, address_of, open_site
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import AnyReveal

_RANKED = 50
"""The first entries of the ranking, which are compared with the ledger."""

_PAGE = 200  # heads that a witness is asked for at a time
_MOST_PAGES = 5_000


@dataclass(frozen=True, slots=True)
class Published:
    """What a site publishes: its keys, a signed head, the ledger, and the best entries, as JSON.

    `files` has the revealed files that everybody may read, by the ids of their commitments, and `seen` the
    heads that witnesses have stored, by the addresses of these.
    """

    keys: Any
    head: Any
    entries: Sequence[Any]
    ledger: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    seen: Mapping[str, Sequence[Any]] = field(default_factory=dict)


async def fetch(url: str, witnesses: Iterable[str] = ()) -> Published:
    """Return what the site at an address publishes, and what witnesses have seen of it. Raise SiteError.

    The ledger comes last, so that all of the rest has to be in it.
    """
    seen = {witness: await _seen(url, witness) for witness in witnesses}
    async with open_site(url) as site:
        keys = await site.document("/.well-known/gorrion-keys.json")
        head = await site.document("/api/v1/nugget/ledger/head")
        ranking = await site.document(f"/api/v1/leaderboards/golden_nugget?limit={_RANKED}")
        try:
            ids = [str(row["entry_id"]) for row in ranking["rows"]]
        except (KeyError, TypeError):
            raise SiteError("The ranking has another form than Gorrion's.") from None
        entries = [await site.document(f"/api/v1/nugget/entries/{quote(each, safe='')}") for each in ids]
        ledger = await site.text("/nugget/ledger", LEDGER)
        return Published(keys, head, entries, ledger, await _files(site, ledger), seen)


async def _files(site: Site, ledger: str) -> Mapping[str, bytes]:
    """Return the revealed files that a site shows to everybody, by the ids of their commitments."""
    files = {}
    for commitment in _revealed(ledger):
        with suppress(NotShownError):  # its moves are secret, or the entry was withdrawn, or the file erased
            files[commitment] = await site.content(f"/nugget/commitments/{commitment}/file")
    return files


def _revealed(ledger: str) -> Iterator[str]:
    for line in ledger.splitlines():
        with suppress(ValueError):
            if isinstance(link := read(line), AnyReveal):
                yield link.commitment


async def _seen(url: str, witness: str) -> Sequence[Any]:
    """Return the heads of a site that a witness has stored. Raise SiteError, also if there are none."""
    path = "/api/v1/nugget/witnessed"
    async with open_site(witness) as site:
        try:
            ids = {row["url"]: quote(row["id"], safe="") for row in await site.document(path)}
            server_id = ids.get(address_of(url))
            heads = await _heads(site, f"{path}/{server_id}/heads") if server_id else []
        except (KeyError, TypeError, ValueError):
            raise SiteError(f"{witness} does not answer as a witness does.") from None
    if not heads:
        raise SiteError(f"{witness} has seen no head of it.")
    return heads


async def _heads(site: Site, path: str) -> Sequence[Any]:
    """Return all heads of a list of a witness.

    Raise SiteError, and KeyError or TypeError for a list of another form.
    """
    heads: list[Any] = []
    cursor = ""
    for _page in range(_MOST_PAGES):
        listed = await site.document(f"{path}?limit={_PAGE}&cursor={quote(cursor, safe='')}")
        heads += [{**row} for row in listed["rows"]]
        cursor = listed["next"]
        if not cursor:
            break
    return heads
