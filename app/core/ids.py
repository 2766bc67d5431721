"""Identifiers of all that has a page, used in URLs. Random ones say nothing of what they name."""

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that look alike
_LENGTH = 10

PATTERN = f"[{_ALPHABET}]{{{_LENGTH}}}"
"""The regular expression of an identifier."""

SERIAL = "[0-9]{1,18}"
"""The regular expression of a number that counts up, such as that of an account."""


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
