"""Password hashing with argon2id, in threads, and only a few at a time."""

from functools import cache

import anyio
from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_HASHER = PasswordHasher()
_AT_ONCE = 2  # each hash takes 64 MiB and one core for about 50 ms
_limiter: anyio.CapacityLimiter | None = None


@cache
def _nobody() -> str:
    """Return a hash to check unknown names against, so that they take as long as a wrong password."""
    return _HASHER.hash("nobody has this password")


def _hashing() -> anyio.CapacityLimiter:
    global _limiter  # noqa: PLW0603 - a limiter belongs to the running event loop's process
    if _limiter is None:
        _limiter = anyio.CapacityLimiter(_AT_ONCE)
    return _limiter


async def hash_password(password: str) -> str:
    """Return the argon2id hash of a password, with its parameters and salt."""
    return await to_thread.run_sync(_HASHER.hash, password, limiter=_hashing())


async def verify_password(password_hash: str | None, password: str) -> bool:
    """Return whether a password matches a hash; False, after the same time, if there is no hash."""
    return await to_thread.run_sync(_verify, password_hash, password, limiter=_hashing())


def _verify(password_hash: str | None, password: str) -> bool:
    try:
        _HASHER.verify(password_hash or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None
