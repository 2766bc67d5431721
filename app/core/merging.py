"""What a form changes of what was stored, when that may have changed since the form was drawn."""

from collections.abc import Callable
from typing import TypeVar

from app.core.errors import ConflictError
from app.core.i18n.text import _

ValueT = TypeVar("ValueT")

Revision = Callable[[ValueT], ValueT]
"""What a command stores instead of what it finds stored, under its lock."""


def merged(stored: ValueT, drawn: object, sent: ValueT) -> ValueT:
    """Return what a stored value becomes by a form that was drawn with one value and is sent with another.

    What the form does not change stays as it is by now. Raise ConflictError `stale_version` if it changes
    what has been changed since.
    """
    if sent in (drawn, stored):
        return stored
    if stored != drawn:
        raise ConflictError("stale_version", _("This has changed since. Load the page again to see it."))
    return sent
