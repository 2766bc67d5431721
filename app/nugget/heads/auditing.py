"""Auditing the ledger of any Gorrion server from outside, by what it publishes alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from app.nugget.heads.published import Published
from app.nugget.heads.signing import HeadShown, problem_of, read_head, read_keys
from engine.golden_nugget import sealing
from engine.golden_nugget.audit import Audit, LedgerProblem, audit
from engine.golden_nugget.entry import verify, verify_file
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


def audit_site(published: Published, kept: Sequence[Any] = (), hashes: Iterable[str] = ()) -> Audit:
    """Check what a site publishes, and return its ledger with all problems.

    `kept` are earlier heads of the same site, as JSON. They and the heads that witnesses have seen reveal a
    ledger that was rewritten.
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
    for witness, seen in published.seen.items():
        problems += [LedgerProblem(None, said) for said in _of_seen(witness, seen, keys, checked.links)]
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
    revealed = {link.commitment: link for link in receipts.values() if isinstance(link, AnyReveal)}
    for name, file in published.files.items():
        if name in committed and name in revealed:  # else there is a problem already
            problems += [
                LedgerProblem(None, f"The file of commitment {name}: {said}")
                for said in _of_file(file, committed[name], revealed[name])
            ]
    return Audit(checked.links, tuple(problems))


def _of_head(document: Any, keys: Mapping[str, bytes], links: Sequence[Link]) -> Iterator[str]:
    try:
        head = read_head(document)
    except ValueError as error:
        yield str(error)
        return
    yield from filter(None, (problem_of(head, keys), _contradiction(head, links)))


def _contradiction(head: HeadShown, links: Sequence[Link]) -> str | None:
    """Return how a head contradicts a ledger, None if it does not."""
    if head.number > len(links):
        return f"It is of {head.number} links, and the ledger has {len(links)}."
    if head.hash != (links[head.number - 1].hash if head.number else NO_LINK):
        return f"Link {head.number} has another hash in the ledger."
    return None


def _of_seen(
    witness: str, seen: Sequence[Mapping[str, Any]], keys: Mapping[str, bytes], links: Sequence[Link]
) -> Iterator[str]:
    """Yield the problems of the heads that a witness has seen.

    One whose signature was wrong when it was seen proves nothing of the ledger.
    """
    contradictions = []
    unsigned = set()
    for row in seen:
        try:
            head = read_head({each.name: row.get(each.name) for each in fields(HeadShown)})
        except ValueError as error:
            unsigned.add(str(error))
            continue
        if said := problem_of(head, keys):
            if row.get("conflict") != "bad_signature":
                unsigned.add(said)
        elif said := _contradiction(head, links):
            contradictions.append((head.number, str(row.get("seen_at")), said))
    if contradictions:
        _number, seen_at, said = min(contradictions)
        yield (
            f"The ledger was rewritten or cut off. Heads that {witness} has seen and that are not of this "
            f"ledger: {len(contradictions)}. The shortest one, seen at {seen_at}: {said}"
        )
    yield from (f"A head that {witness} has seen: {said}" for said in sorted(unsigned))


def _of_file(file: bytes, commitment: AnyCommitment, reveal: AnyReveal) -> Iterator[str]:
    if sealing.hash_of(file) != commitment.sha256:
        yield "Its hash is not the one that was committed to."
    if verify_file(file).sha256 != reveal.record_sha256:
        yield "Its moves are not those of its receipt."


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
