"""Steps through a game or a board that is replayed: to the first position, one back, one on, to the last."""

from collections.abc import Sequence
from typing import NamedTuple

from app.core.i18n.text import Text


class Step(NamedTuple):
    """A link of a replay. `target` is where it leads, None if the replay is there already."""

    rel: str
    label: Text
    sign: str
    target: int | None


_SIGNS = (
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}",
    "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}",
    "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}",
)


def steps(at: int, last: int, labels: Sequence[Text]) -> tuple[Step, ...]:
    """Return the four steps from a place between 0 and `last`, with their labels in order."""
    back, onward = (at - 1 if at > 0 else None), (at + 1 if at < last else None)
    targets = (None if back is None else 0, back, onward, None if onward is None else last)
    return tuple(map(Step, ("first", "prev", "next", "last"), labels, _SIGNS, targets))
