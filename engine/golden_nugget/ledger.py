"""The ledger of Golden Nugget: a chain of receipts in which nothing can be changed unseen.

docs/golden-nugget-record.md describes its links and the text that is hashed.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

NO_LINK = "0" * 64
"""What the first link has for the hash of the link before it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """An accepted entry as a link of the chain.

    `entry` is the entry's id, `submitted_at` a time such as 2026-11-21T06:05:00Z, `record_sha256` the hash of
    the record's canonical form; hashes are 64 hexadecimal digits. `sequence` counts all links from 1. How
    good the entry is stands in no receipt, so that a sealed competition stays sealed.
    """

    sequence: int
    entry: str
    player: str
    submitted_at: str
    record_sha256: str
    previous: str
    hash: str = ""
    kind: str = "entry"


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A player's taking back an entry of an earlier link, which itself stays in the chain."""

    sequence: int
    entry: str
    withdrawn_at: str
    previous: str
    hash: str = ""
    kind: str = "withdrawal"


Link = Receipt | Withdrawal


def canonical(link: Link) -> str:
    """Give the text that is hashed: JSON of all but the hash, keys sorted, no spaces, only ASCII."""
    fields = asdict(link)
    del fields["hash"]
    return _json(fields)


def to_line(link: Link) -> str:
    """Give the link as a line of an exported ledger, without its end: JSON like the canonical text."""
    return _json(asdict(link))


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def hash_of(link: Link) -> str:
    """Give the SHA-256 of the link's canonical text."""
    return hashlib.sha256(canonical(link).encode()).hexdigest()


def after(last: Link | None) -> tuple[int, str]:
    """Give the sequence and the previous hash of the link after `last` (None: of the first link)."""
    return (last.sequence + 1, last.hash) if last else (1, NO_LINK)


def accept(
    last: Link | None,
    *,
    entry: str,
    player: str,
    submitted_at: str,
    record_sha256: str,
) -> Receipt:
    """Give the receipt for an entry, as the link after `last` (None: the first link)."""
    sequence, previous = after(last)
    receipt = Receipt(sequence, entry, player, submitted_at, record_sha256, previous)
    return replace(receipt, hash=hash_of(receipt))


def withdraw(last: Link, *, entry: str, withdrawn_at: str) -> Withdrawal:
    """Give the withdrawal of an accepted entry, as the link after `last`."""
    sequence, previous = after(last)
    withdrawal = Withdrawal(sequence, entry, withdrawn_at, previous)
    return replace(withdrawal, hash=hash_of(withdrawal))
