"""The ledger of Golden Nugget: a hash chain of receipts, in which any change is detectable.

docs/golden-nugget-record.md describes the links and the text that is hashed.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

NO_LINK = "0" * 64
"""The previous hash of the first link."""

MOST_LINKS = 1 << 40
"""More links than any ledger has."""

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")


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


@dataclass(frozen=True, slots=True)
class Commitment:
    """A commitment to a record that its player keeps secret until it is revealed.

    `sha256` is the hash of the record file with its salt, `competition` the id of the competition that it is
    for, or "".
    """

    sequence: int
    commitment: str
    player: str
    committed_at: str
    competition: str
    sha256: str
    previous: str
    hash: str = ""
    kind: str = "commitment"


@dataclass(frozen=True, slots=True)
class ErasedCommitment:
    """A commitment without the name of its player, who had it erased; see ErasedReceipt."""

    sequence: int
    commitment: str
    committed_at: str
    competition: str
    sha256: str
    previous: str
    hash: str
    kind: str = "erased_commitment"


@dataclass(frozen=True, slots=True)
class Reveal:
    """The receipt for an entry whose record its player committed to in an earlier link.

    It counts as submitted at the moment of that link.
    """

    sequence: int
    entry: str
    commitment: str
    player: str
    revealed_at: str
    record_sha256: str
    previous: str
    hash: str = ""
    kind: str = "reveal"


@dataclass(frozen=True, slots=True)
class ErasedReveal:
    """A receipt of a revealed record without the name of its player, who had it erased; see ErasedReceipt."""

    sequence: int
    entry: str
    commitment: str
    revealed_at: str
    record_sha256: str
    previous: str
    hash: str
    kind: str = "erased_reveal"


Named = Receipt | Commitment | Reveal
"""The links with the name of a player."""

Erased = ErasedReceipt | ErasedCommitment | ErasedReveal
"""What becomes of these when the name is erased."""

AnyCommitment = Commitment | ErasedCommitment

AnyReveal = Reveal | ErasedReveal

AnyReceipt = Receipt | ErasedReceipt | AnyReveal
"""The links that accept an entry."""

Link = AnyReceipt | AnyCommitment | Withdrawal | Removal

_New = TypeVar("_New", bound=Named | Withdrawal | Removal)

_ERASED: Mapping[type[Named], type[Erased]] = {
    Receipt: ErasedReceipt,
    Commitment: ErasedCommitment,
    Reveal: ErasedReveal,
}


def is_time(text: str) -> bool:
    """Return whether a text is a time as links have it."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


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


def _hashed(link: _New) -> _New:
    return replace(link, hash=hash_of(link))


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
    return _hashed(Receipt(sequence, entry, player, submitted_at, record_sha256, previous))


def commit(
    last: Link | None, *, commitment: str, player: str, committed_at: str, competition: str, sha256: str
) -> Commitment:
    """Return the link of a commitment, after `last` (None for the first link)."""
    sequence, previous = after(last)
    return _hashed(Commitment(sequence, commitment, player, committed_at, competition, sha256, previous))


def reveal(
    last: Link, *, entry: str, commitment: str, player: str, revealed_at: str, record_sha256: str
) -> Reveal:
    """Return the receipt for an entry that was committed to, as the link after `last`."""
    sequence, previous = after(last)
    return _hashed(Reveal(sequence, entry, commitment, player, revealed_at, record_sha256, previous))


def withdraw(last: Link, *, entry: str, withdrawn_at: str) -> Withdrawal:
    """Return the withdrawal of an accepted entry, as the link after `last`."""
    sequence, previous = after(last)
    return _hashed(Withdrawal(sequence, entry, withdrawn_at, previous))


def remove(last: Link, *, entry: str, removed_at: str, reason: str) -> Removal:
    """Return the removal of an accepted entry by a moderator, as the link after `last`."""
    sequence, previous = after(last)
    return _hashed(Removal(sequence, entry, removed_at, reason, previous))


def erase(link: Named) -> Erased:
    """Return a link without the name of its player."""
    members = asdict(link)
    del members["player"], members["kind"]
    return _ERASED[type(link)](**members)
