"""Heads of a ledger: what is signed, and checking it. docs/golden-nugget-record.md describes both."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from app.core.web.shown import example
from engine.golden_nugget.ledger import MOST_LINKS, is_time

_KEY_BYTES: Final = 32
_FORMS: Final = {
    "hash": re.compile("[0-9a-f]{64}"),
    "key_id": re.compile("[0-9a-f]{16}"),
    "signature": re.compile("[0-9A-Za-z_-]{0,100}"),
}


@dataclass(frozen=True, slots=True)
class HeadShown:
    """A signed head of the ledger: how many links there are, and the hash of the last (64 zeros if none)."""

    number: int
    hash: Annotated[str, example("51ab…")]
    signed_at: Annotated[str, example("2026-11-21T12:00:00.000000Z")]
    key_id: Annotated[str, example("630dcd2966c43366")]
    signature: Annotated[str, example("mF9…")]  # base64url without padding

    @property
    def text(self) -> bytes:
        """Return what is signed: ASCII JSON of all members but the signature, keys sorted, without spaces."""
        members = asdict(self)
        del members["signature"]
        return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


def key_id_of(public: bytes) -> str:
    """Return the name of a public key: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def public_key_of(private: bytes) -> bytes:
    """Return the public key of a private one."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def sign(private: bytes, number: int, last_hash: str, signed_at: str) -> HeadShown:
    """Return a signed head."""
    head = HeadShown(number, last_hash, signed_at, key_id_of(public_key_of(private)), signature="")
    signature = Ed25519PrivateKey.from_private_bytes(private).sign(head.text)
    return replace(head, signature=encoded(signature))


def encoded(content: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a text in base64url. Raise ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def read_keys(document: Any) -> dict[str, bytes]:
    """Return the public keys of a document of keys (RFC 7517), by their names. Raise ValueError."""
    try:
        keys = {str(key["kid"]): decoded(key["x"]) for key in document["keys"] if key["crv"] == "Ed25519"}
    except (KeyError, TypeError):
        raise ValueError("It is no list of keys.") from None
    for name, key in keys.items():
        if len(key) != _KEY_BYTES:
            raise ValueError(f"The key {name} is no key of Ed25519.")
        if key_id_of(key) != name:
            raise ValueError(f"The key {name} has another name than follows from it.")
    return keys


def read_head(document: Any) -> HeadShown:
    """Return a head from JSON. Raise ValueError."""
    try:
        head = HeadShown(**{"signature": "", **document})
        is_one = type(head.number) is int and 0 <= head.number <= MOST_LINKS
        is_one = is_one and all(form.fullmatch(getattr(head, name)) for name, form in _FORMS.items())
        is_one = is_one and is_time(head.signed_at)
    except TypeError:
        is_one = False
    if not is_one:
        raise ValueError("It is no head of a ledger.")
    return head


def read_heads(document: Any) -> Sequence[HeadShown]:
    """Return the heads of a list in JSON, none of anything else. Raise ValueError."""
    return [read_head(each) for each in document] if isinstance(document, list) else []


def problem_of(head: HeadShown, keys: Mapping[str, bytes]) -> str | None:
    """Return what is wrong with the signature of a head, None if it is right."""
    if head.key_id not in keys:
        return f"It is signed by the key {head.key_id}, which is not among the server's."
    try:
        Ed25519PublicKey.from_public_bytes(keys[head.key_id]).verify(decoded(head.signature), head.text)
    except (InvalidSignature, ValueError):
        return "Its signature is not right."
    return None
