"""Random identifiers of games, challenges, races, runs and entries, used in URLs."""

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_LENGTH = 10

PATTERN = f"[{_ALPHABET}]{{{_LENGTH}}}"
"""The regular expression of an identifier."""


def new_id() -> str:
    """Return a random identifier: 10 characters, about 49 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
