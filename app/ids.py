"""Identifiers: random names for URLs, and the check that a path parameter can be one."""

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_LENGTH = 10


def new_id() -> str:
    """Return a random identifier for a URL: 10 characters, about 49 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
