"""Identifiers of all that has a page, used in URLs. They say nothing of what they name."""

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_LENGTH = 10

PATTERN = f"[{_ALPHABET}]{{{_LENGTH}}}"
"""The regular expression of an identifier."""


def new_id() -> str:
    """Return a random identifier: 10 characters, about 49 bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def id_from(digest: bytes) -> str:
    """Return the identifier that belongs to a digest of some content."""
    number = int.from_bytes(digest)
    characters = []
    for _ in range(_LENGTH):
        number, place = divmod(number, len(_ALPHABET))
        characters.append(_ALPHABET[place])
    return "".join(characters)
