"""The names of runs: those that players give, and those that are made."""

from collections.abc import Collection, Iterator
from itertools import count

from app.core.errors import FieldError
from app.core.i18n.text import _, ngettext
from app.core.web.plain_text import words

LONGEST_NAME = 60
_LONGEST_MADE = LONGEST_NAME - len(" (100)")


def given(text: str) -> str:
    """Return a name that a player gives, on one line. Raise FieldError if it is too long."""
    name = words(text)
    if len(name) > LONGEST_NAME:
        raise FieldError(
            "name",
            "bad_name",
            ngettext(
                "A name has at most %(count)s character.",
                "A name has at most %(count)s characters.",
                LONGEST_NAME,
            ),
        )
    return name


def unused(about: str, taken: Collection[str]) -> str:
    """Return a name that none of the player's runs has, which says what the run is about, if anything."""
    return next(name for name in _made(about, len(taken) + 1) if name not in taken)


def _made(about: str, number: int) -> Iterator[str]:
    if about:
        short = about[:_LONGEST_MADE].rstrip()
        yield short
        yield from (f"{short} ({copy})" for copy in count(2))
    yield from (_("Run %(number)s", number=each).translated() for each in count(number))
