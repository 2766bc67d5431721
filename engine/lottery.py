"""Drawing lots, so that anybody can check afterwards that nobody chose the result.

A seed is announced by its SHA-256 before the draw, and told when it no longer matters. Its numbers decide
what is drawn.
"""

import hashlib
from collections.abc import Iterator

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed as 64 hexadecimal digits, which announces it."""
    return hashlib.sha256(seed).hexdigest()


def numbers(seed: bytes) -> Iterator[int]:
    """Yield numbers of 256 bits: the SHA-256 of the seed and of a counter of eight bytes, from 1 on."""
    counter = 0
    while True:
        counter += 1
        yield int.from_bytes(hashlib.sha256(seed + counter.to_bytes(8)).digest())
