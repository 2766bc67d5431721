"""The public chain of receipts: who had which record when, without telling its moves."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

FIRST = "0" * 64
"""What stands for the receipt before the first one."""

ENTRY, WITHDRAWAL = "entry", "withdrawal"


@dataclass(frozen=True, slots=True)
class Receipt:
    """A link of the chain: an entry was accepted, or an earlier one withdrawn.

    `record` is the SHA-256 of the entry's full record, `previous` the hash of the receipt before, `at` a UTC
    time in ISO 8601. A withdrawal repeats the `record` of the entry's own receipt. How good an entry
    is stands in no receipt, so that a sealed competition stays sealed.
    """

    number: int
    kind: str
    entry: str
    player: str
    at: str
    record: str
    previous: str

    @property
    def hash(self) -> str:
        """Give the receipt's SHA-256: of its fields as JSON, names sorted, without spaces, in UTF-8."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Give the receipt with its hash, as it is shown and exported."""
        return {**asdict(self), "hash": self.hash}


@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """Something wrong in an exported ledger, at a line counted from 1."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """What checking a ledger found: its receipts as far as they can be read, and the problems."""

    receipts: tuple[Receipt, ...]
    problems: tuple[LedgerProblem, ...]


def check_ledger(text: str) -> LedgerCheck:
    """Check an exported ledger: a receipt a line, as JSON with its hash, from the first one on."""
    receipts: list[Receipt] = []
    problems: list[LedgerProblem] = []
    previous, entries = FIRST, dict[str, Receipt]()
    for line, written in enumerate(filter(str.strip, text.splitlines()), 1):
        try:
            fields = json.loads(written)
            claimed = fields.pop("hash")
            receipt = Receipt(**fields)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            problems.append(LedgerProblem(line, "This line is not a receipt."))
            break
        problems += [
            LedgerProblem(line, message) for message in _faults(receipt, claimed, line, previous, entries)
        ]
        receipts.append(receipt)
        previous = receipt.hash
        if receipt.kind == ENTRY:
            entries[receipt.entry] = receipt
    return LedgerCheck(tuple(receipts), tuple(problems))


def _faults(
    receipt: Receipt, claimed: object, line: int, previous: str, entries: dict[str, Receipt]
) -> Iterable[str]:
    if receipt.hash != claimed:
        yield "The receipt does not match its hash: something in it was changed."
    if receipt.previous != previous:
        yield "The receipt does not follow the one before it: something was changed, removed or put in."
    if receipt.number != line:
        yield f"The receipt's number is {receipt.number}, not {line}."
    if receipt.kind == WITHDRAWAL and receipt.entry not in entries:
        yield "This withdraws an entry that was never accepted."
    elif receipt.kind == ENTRY and receipt.entry in entries:
        yield "This entry was accepted before."
    elif receipt.kind not in (ENTRY, WITHDRAWAL):
        yield f"A receipt is of an entry or a withdrawal, not of {receipt.kind!r}."
