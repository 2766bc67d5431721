"""Drawing open pages: each part once for all to whom it looks the same, and sent only if it has changed."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from app.core.i18n.languages import current

Drawing = TypeVar("Drawing")


class Drawn(Generic[Drawing]):
    """What was drawn of something at one moment, by language and by what else distinguishes the drawings."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[object, ...], Drawing] = {}

    def once(self, draw: Callable[[], Drawing], *key: object) -> Drawing:
        """Return the drawing of a key in the reader's language; `draw` makes it for the first reader."""
        of_all = (current(), *key)
        if of_all not in self._drawn:
            self._drawn[of_all] = draw()
        return self._drawn[of_all]


class DrawnParts:
    """The parts of one open page by their names, as they were sent last."""

    def __init__(self) -> None:
        self._sent: Mapping[str, str] = {}

    def changed(self, parts: Mapping[str, str]) -> list[str]:
        """Return the parts that differ from those sent last, and remember all of them as sent."""
        sent, self._sent = self._sent, parts
        return [html for name, html in parts.items() if sent.get(name) != html]
