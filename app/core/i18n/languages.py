"""The languages of the pages, and which of them the reader of the current request gets."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from babel import Locale

SOURCE = "en"
"""The language in which the texts are written in the code."""

LANGUAGES = {SOURCE: "English", "de": "Deutsch", "es": "Español", "pl": "Polski"}
"""The name of each language in itself, by its code."""

_TERRITORIES = {SOURCE: "GB"}  # for dates such as 21 Nov 2026
_current: ContextVar[str] = ContextVar("language", default=SOURCE)

current = _current.get
"""Return the code of the reader's language. It is English unless `use` or `reading` set another one."""


def use(language: str) -> None:
    """Make a language the reader's for the rest of the current task."""
    _current.set(language)


@contextmanager
def reading(language: str) -> Iterator[None]:
    """Make a language the reader's within a `with` block."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def open_graph_name(language: str) -> str:
    """Return the name of a language and its territory as link previews write it: en_GB."""
    return f"{language}_{_TERRITORIES.get(language, language.upper())}"


@cache
def locale(language: str) -> Locale:
    """Return the conventions of a language for numbers, dates and lists."""
    return Locale(language, _TERRITORIES.get(language))


@lru_cache(256)
def preferred(accept_language: str) -> str:
    """Return the language that an Accept-Language header prefers among ours, or English."""
    wanted = sorted(_weighted(accept_language), key=lambda choice: -choice[0])  # equal ones in their order
    return next((language for weight, language in wanted if weight and language in LANGUAGES), SOURCE)


def _weighted(accept_language: str) -> Iterator[tuple[float, str]]:
    """Yield the languages of a header without their territories, each with its weight from 0 to 1."""
    for choice in accept_language.split(","):
        tag, _, weight = choice.replace(" ", "").lower().partition(";q=")
        try:
            yield float(weight or 1), tag.partition("-")[0]
        except ValueError:
            continue
