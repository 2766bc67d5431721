"""The ledger of Golden Nugget: a hash chain of receipts, in which any change is detectable.

docs/golden-nugget-record.md describes the links and the text that is hashed.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

NO_LINK = "0" * 64
"""The previous hash of the first link."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt for an accepted entry, a link of the chain.

    `entry` is the id of the entry, `submitted_at` a time such as 2026-11-21T06:05:00Z, and `record_sha256`
    the hash of the canonical form of the record. Hashes are 64 hexadecimal digits. `sequence` counts all
    links from 1. A receipt does not state the result of the entry, so that a sealed competition stays sealed.
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
    """The withdrawal of an entry by its player. The receipt of the entry stays in the chain."""

    sequence: int
    entry: str
    withdrawn_at: str
    previous: str
    hash: str = ""
    kind: str = "withdrawal"


@dataclass(frozen=True, slots=True)
class Removal:
    """The removal of an entry by a moderator, with the public reason. Its receipt stays in the chain."""

    sequence: int
    entry: str
    removed_at: str
    reason: str
    previous: str
    hash: str = ""
    kind: str = "removal"


@dataclass(frozen=True, slots=True)
class ErasedReceipt:
    """A receipt without the name of its player, who had it erased.

    Its hash is still that of the whole receipt, so the chain goes on, and a copy of it proves itself.
    """

    sequence: int
    entry: str
    submitted_at: str
    record_sha256: str
    previous: str
    hash: str
    kind: str = "erased"


Link = Receipt | Withdrawal | Removal | ErasedReceipt


def canonical(link: Link) -> str:
    """Return the text that is hashed: ASCII JSON of all fields but the hash, keys sorted, without spaces."""
    fields = asdict(link)
    del fields["hash"]
    return _json(fields)


def to_line(link: Link) -> str:
    """Return the link as a line of an exported ledger, without the newline: JSON like the canonical text."""
    return _json(asdict(link))


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def hash_of(link: Link) -> str:
    """Return the SHA-256 of the link's canonical text."""
    return hashlib.sha256(canonical(link).encode()).hexdigest()


def after(last: Link | None) -> tuple[int, str]:
    """Return the sequence and the previous hash of the link after `last` (None for the first link)."""
    return (last.sequence + 1, last.hash) if last else (1, NO_LINK)


def accept(
    last: Link | None,
    *,
    entry: str,
    player: str,
    submitted_at: str,
    record_sha256: str,
) -> Receipt:
    """Return the receipt for an entry, as the link after `last` (None for the first link)."""
    sequence, previous = after(last)
    receipt = Receipt(sequence, entry, player, submitted_at, record_sha256, previous)
    return replace(receipt, hash=hash_of(receipt))


def withdraw(last: Link, *, entry: str, withdrawn_at: str) -> Withdrawal:
    """Return the withdrawal of an accepted entry, as the link after `last`."""
    sequence, previous = after(last)
    withdrawal = Withdrawal(sequence, entry, withdrawn_at, previous)
    return replace(withdrawal, hash=hash_of(withdrawal))


def remove(last: Link, *, entry: str, removed_at: str, reason: str) -> Removal:
    """Return the removal of an accepted entry by a moderator, as the link after `last`."""
    sequence, previous = after(last)
    removal = Removal(sequence, entry, removed_at, reason, previous)
    return replace(removal, hash=hash_of(removal))


def erase(receipt: Receipt) -> ErasedReceipt:
    """Return a receipt without the name of its player."""
    return ErasedReceipt(
        receipt.sequence,
        receipt.entry,
        receipt.submitted_at,
        receipt.record_sha256,
        receipt.previous,
        receipt.hash,
    )
