"""What a form, or a command, means when what it is about may have changed since it was seen."""

from collections.abc import Callable
from typing import TypeVar

from app.core.errors import StaleError
from app.core.i18n.text import Text

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


def check_seen(stored: object, seen: object, message: Text | None = None) -> None:
    """Raise StaleError with a message if something is not as the sender of a command has seen it.

    A command means what it said when its form was drawn. `seen` is None if its sender takes it as it is.
    """
    if seen not in (None, stored):
        raise StaleError(message)
