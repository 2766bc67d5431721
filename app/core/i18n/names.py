"""The names of countries and of languages, in the reader's language."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from babel import Locale

from app.core.i18n.languages import current, locale

_NO_COUNTRIES: Final = frozenset(  # regions, parts of countries, and codes for tests
    ("ac", "cp", "cq", "dg", "ea", "eu", "ez", "ic", "qo", "ta", "un", "xa", "xb", "zz")
)
_NO_LANGUAGES: Final = frozenset(("mo", "no", "sh", "tl"))  # older codes of languages with another one
_ENGLISH: Final = Locale("en")

COUNTRIES: Final = (
    frozenset(code.lower() for code in map(str, _ENGLISH.territories) if code.isalpha() and len(code) == 2)
    - _NO_COUNTRIES
)
"""The codes of countries (ISO 3166-1) in lower case."""

LANGUAGES: Final = frozenset(code for code in map(str, _ENGLISH.languages) if len(code) == 2) - _NO_LANGUAGES
"""The codes of languages (ISO 639-1)."""


def country(code: str) -> str:
    """Return the name of a country in the reader's language: "Poland"."""
    return _country_in(locale(current()), code)


def language(code: str) -> str:
    """Return the name of a language in the reader's language: "Polish"."""
    return _language_in(locale(current()), code)


def countries() -> list[tuple[str, str]]:
    """Return the codes and names of all countries, in the order of their names in the reader's language."""
    return _by_name(COUNTRIES, _country_in, locale(current()))


def languages() -> list[tuple[str, str]]:
    """Return the codes and names of all languages, in the order of their names in the reader's language."""
    return _by_name(LANGUAGES, _language_in, locale(current()))


def _country_in(reader: Locale, code: str) -> str:
    return str(reader.territories.get(code.upper()) or _ENGLISH.territories[code.upper()])


def _language_in(reader: Locale, code: str) -> str:
    return str(reader.languages.get(code) or _ENGLISH.languages[code])


@lru_cache(16)
def _by_name(
    codes: frozenset[str], name_in: Callable[[Locale, str], str], reader: Locale
) -> list[tuple[str, str]]:
    return sorted(((code, name_in(reader, code)) for code in codes), key=lambda each: _sorted_as(each[1]))


def _sorted_as(name: str) -> str:
    """Return a name without its accents, so that Österreich is with the names in O."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
