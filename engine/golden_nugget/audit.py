"""Checking an exported ledger of Golden Nugget, without access to the server."""

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.golden_nugget import sealing
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.ledger import (
    MOST_LINKS,
    AnyCommitment,
    AnyReceipt,
    AnyReveal,
    Commitment,
    Erased,
    ErasedCommitment,
    ErasedReceipt,
    ErasedReveal,
    Link,
    Receipt,
    Removal,
    Reveal,
    Withdrawal,
    after,
    hash_of,
    is_time,
    to_line,
)

_KINDS: Mapping[str, type[Link]] = {
    "entry": Receipt,
    "withdrawal": Withdrawal,
    "removal": Removal,
    "erased": ErasedReceipt,
    "commitment": Commitment,
    "erased_commitment": ErasedCommitment,
    "reveal": Reveal,
    "erased_reveal": ErasedReveal,
}
_NUMBERS = {"sequence"}
_TIMES = {"submitted_at", "withdrawn_at", "removed_at", "committed_at", "revealed_at"}
_HASH = re.compile("[0-9a-f]{64}")
_FORMS = {
    "entry": re.compile("[0-9a-z]{10}"),
    "commitment": re.compile("[0-9a-z]{10}"),
    "competition": re.compile("[0-9a-z-]{0,64}"),
    "record_sha256": _HASH,
    "sha256": _HASH,
    "previous": _HASH,
    "hash": _HASH,
}


@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """A problem with a ledger: a sentence, and the number of the line (from 1) or None."""

    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The links of an exported ledger, withdrawn entries included, and its problems."""

    links: tuple[Link, ...]
    problems: tuple[LedgerProblem, ...]

    @property
    def valid(self) -> bool:
        """Return whether the ledger has no problems."""
        return not self.problems

    def as_json(self) -> dict[str, Any]:
        """Return the audit as the command line prints it."""
        return {
            "valid": self.valid,
            "entries": sum(isinstance(link, AnyReceipt) for link in self.links),
            "withdrawals": sum(isinstance(link, Withdrawal | Removal) for link in self.links),
            "problems": [asdict(problem) for problem in self.problems],
        }


def audit(text: str, records: Iterable[tuple[str, bytes]] = (), hashes: Iterable[str] = ()) -> Audit:
    """Check an exported ledger, one link per line, and return it with all problems.

    Each record file, given by a name for messages and its content, must be a valid entry with a receipt in
    the ledger, or a commitment to just this file that was not revealed as other moves. Each hash must be that
    of a link. A ledger that was cut off at its end is still a valid chain, so only a hash that was kept
    elsewhere reveals the loss. The name in a link may have been erased; then its hash is checked only as that
    of a link of the chain.
    """
    problems: list[LedgerProblem] = []
    links: list[Link] = []
    seen = _Seen()
    last: Link | None = None
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], start=1):
        try:
            link = read(line)
        except ValueError as error:
            problems.append(LedgerProblem(number, str(error)))
            last = None
            continue
        messages = [*_problems_of(link, last, number), *seen.add(link)]
        problems += [LedgerProblem(number, message) for message in messages]
        links.append(link)
        last = link
    problems += [LedgerProblem(None, message) for message in _missing(links, records, hashes)]
    return Audit(tuple(links), tuple(problems))


def read(line: str) -> Link:
    """Return the link on a line of an exported ledger. Raise ValueError with a sentence for people."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    kind = _KINDS.get(str(fields.get("kind"))) if isinstance(fields, dict) else None
    if kind is None:
        raise ValueError("It is no link of a ledger.")
    if fields.keys() != {field.name for field in dataclasses.fields(kind)}:
        raise ValueError("It has missing or unknown fields.")
    for name, value in fields.items():
        if type(value) is not (int if name in _NUMBERS else str):
            raise ValueError(f"Its {name} is not of the right type.")
        if not _has_right_format(name, value):
            raise ValueError(f"Its {name} is not in the right format.")
    link = kind(**fields)
    if to_line(link) != line:
        raise ValueError("It is not in the exact notation of the ledger.")
    return link


def _has_right_format(name: str, value: Any) -> bool:
    if name in _NUMBERS:
        return value in range(1, MOST_LINKS + 1)
    if name in _TIMES:
        return is_time(value)
    return name not in _FORMS or _FORMS[name].fullmatch(value) is not None


def _problems_of(link: Link, last: Link | None, number: int) -> Iterator[str]:
    """Yield the problems of a link after `last`, which is None at the start and after an unreadable line."""
    if not isinstance(link, Erased) and hash_of(link) != link.hash:
        yield "Its hash does not match its content."
    if last or number == 1:
        sequence, previous = after(last)
        if link.sequence != sequence:
            yield f"Its sequence is {link.sequence} instead of {sequence}."
        if link.previous != previous:
            yield "Its previous hash is not that of the link before it."


@dataclass(slots=True)
class _Seen:
    """What the links before have said: the entries, the commitments, and what became of both."""

    entries: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    commitments: set[str] = field(default_factory=set)
    revealed: set[str] = field(default_factory=set)

    def add(self, link: Link) -> Iterator[str]:
        """Add a link, and yield what it contradicts."""
        if isinstance(link, AnyCommitment):
            if link.commitment in self.commitments:
                yield f"Commitment {link.commitment} is already in the ledger."
            self.commitments.add(link.commitment)
        elif isinstance(link, AnyReceipt):
            if link.entry in self.entries:
                yield f"Entry {link.entry} already has a receipt."
            self.entries.add(link.entry)
            if isinstance(link, AnyReveal):
                if link.commitment not in self.commitments:
                    yield f"It reveals commitment {link.commitment}, which is not in the ledger before it."
                elif link.commitment in self.revealed:
                    yield f"Commitment {link.commitment} has already been revealed."
                self.revealed.add(link.commitment)
        else:
            if link.entry not in self.entries:
                yield f"It withdraws entry {link.entry}, which has no earlier receipt."
            elif link.entry in self.withdrawn:
                yield f"Entry {link.entry} has already been withdrawn."
            self.withdrawn.add(link.entry)


def _missing(
    links: Iterable[Link], records: Iterable[tuple[str, bytes]], hashes: Iterable[str]
) -> Iterator[str]:
    """Yield a problem for each record and each hash that is not in the ledger."""
    known = {link.hash for link in links}
    for wanted in hashes:
        if wanted not in known:
            yield f"No link has the hash {wanted}."
    receipts = {link.record_sha256 for link in links if isinstance(link, AnyReceipt)}
    commitments = {link.sha256: link.commitment for link in links if isinstance(link, AnyCommitment)}
    revealed = {link.commitment: link.record_sha256 for link in links if isinstance(link, AnyReveal)}
    for name, data in records:
        verdict, commitment = verify_file(data), commitments.get(sealing.hash_of(data))
        if not verdict.valid:
            yield f"{name} is not a valid entry."
        elif commitment is not None:
            if revealed.get(commitment, verdict.sha256) != verdict.sha256:
                yield f"The commitment to {name} was revealed as other moves."
        elif verdict.sha256 not in receipts:
            yield f"No receipt matches the moves of {name}."
