"""Opaque tokens: clients get a random string, the database stores only its hash."""

import hashlib
import secrets


def new_token() -> str:
    """Return a new token of 256 random bits, safe in URLs and cookies."""
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    """Return a new API token. Its prefix lets scanners find tokens that were published by mistake."""
    return f"gor_{new_token()}"


def token_hash(token: str) -> bytes:
    """Return the SHA-256 of a token. A slow hash is unnecessary, because tokens are long and random."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
