"""Password hashing with argon2id: in threads, only a few at a time, and outside of transactions.

Owners who are known, by their session, token or browser, wait in a line of their own: a flood of strangers
who log in does not hold them up.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import ParamSpec, TypeVar

import anyio
from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.core.errors import OverloadedError
from app.core.i18n.text import _
from app.core.settings import Settings

NO_PASSWORD = "!"  # noqa: S105 - that of nobody
"""In place of a hash: no password matches."""
_MOST_WAITING = 20  # in a line; the last of them waits for about half a second

P = ParamSpec("P")
T = TypeVar("T")


class Line(Enum):
    """A line in which passwords wait, and how many of it are hashed at once.

    Each hash takes 64 MiB and one core for about 50 ms.
    """

    STRANGERS = 2
    KNOWN = 1


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher(memory_cost=Settings().password_memory)


@cache
def _nobody() -> str:
    """Return a hash to check unknown names against, so that they take as long as a wrong password."""
    return _hasher().hash("nobody has this password")


@cache
def _hashing(line: Line) -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(line.value)


async def hash_password(password: str, line: Line = Line.STRANGERS) -> str:
    """Return the argon2id hash of a password, with its parameters and salt.

    Raise OverloadedError if too many passwords wait in the line.
    """
    return await _in_thread(line, _hasher().hash, password)


async def verify_password(password_hash: str | None, password: str, line: Line = Line.STRANGERS) -> bool:
    """Return whether a password matches a hash; False, after the same time, if there is no hash.

    Raise OverloadedError if too many passwords wait in the line.
    """
    return await _in_thread(line, _verify, password_hash, password)


def is_outdated(password_hash: str) -> bool:
    """Return whether a hash was made with other parameters than those of new hashes."""
    return _hasher().check_needs_rehash(password_hash)


async def _in_thread(line: Line, function: Callable[P, T], *arguments: P.args, **_options: P.kwargs) -> T:
    limiter = _hashing(line)
    if limiter.statistics().tasks_waiting >= _MOST_WAITING:
        raise OverloadedError(_("Many people are logging in at the moment. Try again in a few seconds."))
    return await to_thread.run_sync(function, *arguments, limiter=limiter)


def _verify(password_hash: str | None, password: str) -> bool:
    has_password = password_hash not in (None, NO_PASSWORD)
    try:
        _hasher().verify(password_hash if password_hash and has_password else _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return has_password
