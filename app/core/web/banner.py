"""The banner of all pages, as this process knows it: drawing a page reads nothing for it."""

from collections.abc import Mapping
from datetime import datetime

from app.core.i18n.languages import SOURCE
from app.core.moments import utc_now


class Banner:
    """A text by language, with its end; empty if there is none."""

    def __init__(self) -> None:
        self._texts: Mapping[str, str] = {}
        self._ends_at: datetime | None = None

    def show(self, texts: Mapping[str, str], ends_at: datetime | None) -> None:
        """Show these texts until a moment."""
        self._texts, self._ends_at = texts, ends_at

    def text_in(self, language: str) -> tuple[str, str]:
        """Return the text for readers of a language, and the language in which it is; empty without one."""
        if self._ends_at is None or self._ends_at <= utc_now():
            return "", language
        own = language if language in self._texts else SOURCE
        return self._texts[own], own
