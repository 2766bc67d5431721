"""Record files that a player commits to: their salt, and the hash that tells nothing of them.

docs/golden-nugget-record.md describes both.
"""

import hashlib
import re

_HASH = re.compile("[0-9a-f]{64}")

SALT_BYTES = 16
"""The size of a salt: with so many random bytes, nobody can find a record by trying those that he knows."""


def salted(file: bytes, salt: bytes) -> bytes:
    """Return a record file with a salt as its last line."""
    end = b"" if file.endswith(b"\n") else b"\n"
    return file + end + f"# salt: {salt.hex()}\n".encode()


def hash_of(file: bytes) -> str:
    """Return what is committed to: the SHA-256 of a file, byte for byte, as 64 hexadecimal digits."""
    return hashlib.sha256(file).hexdigest()


def is_hash(text: str) -> bool:
    """Return whether a text is such a hash."""
    return _HASH.fullmatch(text) is not None
