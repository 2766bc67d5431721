"""Opaque tokens: what the client holds is random, what the database holds is its hash."""

import hashlib
import secrets


def new_token() -> str:
    """Give a fresh token of 256 random bits, safe in URLs and cookies."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """Give the SHA-256 under which a token is stored: enough, since a token is random and long."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
