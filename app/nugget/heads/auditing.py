"""Auditing the ledger of any Gorrion server from outside, by what it publishes alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import aiohttp

from app.core import json
from app.nugget.heads.signing import Head, problem_of, read_head, read_keys
from engine.golden_nugget.audit import Audit, LedgerProblem, audit
from engine.golden_nugget.entry import verify
from engine.golden_nugget.ledger import (
    NO_LINK,
    AnyCommitment,
    AnyReceipt,
    AnyReveal,
    Link,
    Removal,
    Withdrawal,
)
from engine.golden_nugget.record import from_moves

_WITHIN = 60  # seconds for each answer; more comes in parts
_RANKED = 50
"""The first entries of the ranking, which are compared with the ledger."""


class SiteError(Exception):
    """A site cannot be audited, with a sentence for people."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a site publishes: its keys, a signed head, the ledger, and the best entries, as JSON."""

    keys: Any
    head: Any
    entries: Sequence[Any]
    ledger: str


async def fetch(url: str) -> Published:
    """Return what the site at an address publishes. Raise SiteError.

    The ledger comes last, so that all of the rest has to be in it.
    """
    timeout = aiohttp.ClientTimeout(sock_connect=_WITHIN, sock_read=_WITHIN)
    async with aiohttp.ClientSession(timeout=timeout) as client:

        async def text(path: str) -> str:
            try:
                async with client.get(url.rstrip("/") + path) as answer:
                    if answer.status != 200:
                        raise SiteError(f"{path} answers {answer.status}.")
                    return (await answer.read()).decode()
            except (aiohttp.ClientError, TimeoutError, UnicodeDecodeError, ValueError) as error:
                raise SiteError(f"{path} cannot be read: {error}.") from None

        async def document(path: str) -> Any:
            try:
                return json.decode(await text(path))
            except ValueError:
                raise SiteError(f"{path} is not JSON.") from None

        keys = await document("/.well-known/gorrion-keys.json")
        head = await document("/api/v1/nugget/ledger/head")
        ranking = await document(f"/api/v1/leaderboards/golden_nugget?limit={_RANKED}")
        try:
            ids = [str(row["entry_id"]) for row in ranking["rows"]]
        except (KeyError, TypeError):
            raise SiteError("The ranking has another form than Gorrion's.") from None
        entries = [await document(f"/api/v1/nugget/entries/{entry_id}") for entry_id in ids]
        return Published(keys, head, entries, await text("/nugget/ledger"))


def audit_site(published: Published, kept: Sequence[Any] = (), hashes: Iterable[str] = ()) -> Audit:
    """Check what a site publishes, and return its ledger with all problems.

    `kept` are earlier heads of the same site, as JSON: they reveal a ledger that was rewritten.
    """
    checked = audit(published.ledger, hashes=hashes)
    problems = [*checked.problems]
    try:
        keys = read_keys(published.keys)
    except ValueError as error:
        keys = {}
        problems.append(LedgerProblem(None, str(error)))
    for name, document in (("The head", published.head), *(("A head that was kept", each) for each in kept)):
        problems += [
            LedgerProblem(None, f"{name}: {said}") for said in _of_head(document, keys, checked.links)
        ]
    withdrawn = {link.entry for link in checked.links if isinstance(link, Withdrawal | Removal)}
    committed = {link.commitment: link for link in checked.links if isinstance(link, AnyCommitment)}
    receipts = {link.entry: link for link in checked.links if isinstance(link, AnyReceipt)}
    moments = {
        name: committed[link.commitment].committed_at if isinstance(link, AnyReveal) else link.submitted_at
        for name, link in receipts.items()
        if not isinstance(link, AnyReveal) or link.commitment in committed
    }
    for entry in published.entries:
        try:
            said = list(_of_entry(entry, receipts, moments, withdrawn))
        except (KeyError, TypeError, ValueError):
            said = ["It has another form than Gorrion's."]
        name = str(entry.get("id")) if isinstance(entry, dict) else "?"
        problems += [LedgerProblem(None, f"Ranked entry {name}: {each}") for each in said]
    return Audit(checked.links, tuple(problems))


def _of_head(document: Any, keys: Mapping[str, bytes], links: Sequence[Link]) -> Iterator[str]:
    try:
        head: Head = read_head(document)
    except ValueError as error:
        yield str(error)
        return
    if said := problem_of(head, keys):
        yield said
    if not 0 <= head.number <= len(links):
        yield f"It is of {head.number} links, and the ledger has {len(links)}."
    elif head.hash != (links[head.number - 1].hash if head.number else NO_LINK):
        yield f"Link {head.number} has another hash in the ledger."


def _of_entry(
    entry: Any, receipts: Mapping[str, AnyReceipt], moments: Mapping[str, str], withdrawn: Iterable[str]
) -> Iterator[str]:
    receipt = receipts.get(entry["id"])
    if receipt is None:
        yield "It has no receipt in the ledger."
        return
    if entry["id"] in withdrawn:
        yield "It was withdrawn or removed."
    if entry["digest"] != receipt.record_sha256:
        yield "Its receipt is for other moves."
    moment = moments.get(entry["id"])
    if moment and datetime.fromisoformat(entry["submitted_at"]) != datetime.fromisoformat(moment):
        yield "It was submitted or committed to at another time."
    if sum(entry["counts"]) != entry["mean"]["moves"] or len(entry["counts"]) != entry["mean"]["boards"]:
        yield "Its mean is not that of its boards."
    if entry["moves"] is not None:
        verdict = verify(from_moves(entry["moves"]))
        if not verdict.valid:
            yield "Its moves do not solve its boards."
        elif verdict.sha256 != receipt.record_sha256:
            yield "Its moves are not those of its receipt."
        elif list(verdict.counts) != entry["counts"]:
            yield "Its boards have other numbers of moves."
