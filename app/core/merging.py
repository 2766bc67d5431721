"""What a form, or a command, means when what it is about may have changed since it was seen."""

from collections.abc import Callable
from typing import TypeVar

from app.core.errors import StaleError

ValueT = TypeVar("ValueT")

Revision = Callable[[ValueT], ValueT]
"""What a command stores instead of what it finds stored, under its lock."""


def merged(stored: ValueT, drawn: object, sent: ValueT) -> ValueT:
    """Return what a stored value becomes by a form that was drawn with one value and is sent with another.

    What the form does not change stays as it is by now. Raise StaleError if it changes
    what has been changed since.
    """
    if sent in (drawn, stored):
        return stored
    if stored != drawn:
        raise StaleError
    return sent
