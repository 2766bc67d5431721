"""Texts that players write: without control characters, whose effects other readers cannot foresee."""

from pydantic_core import PydanticKnownError

from app.i18n.text import _

SHORTEST_TITLE = 3  # characters


def words(text: str) -> str:
    """Return the visible words of a text, separated by single spaces."""
    return " ".join(_visible(text).split())


def one_line(text: str) -> str:
    """Return a text as one line of visible characters. Raise ValueError if nothing is left."""
    line = words(text)
    if not line:
        raise ValueError(_("Write something first."))
    return line


def title(text: str) -> str:
    """Return a title as one line. Raise Pydantic's error for short texts if too little is left of it."""
    line = words(text)
    if len(line) < SHORTEST_TITLE:
        raise PydanticKnownError("string_too_short", {"min_length": SHORTEST_TITLE})
    return line


def lines(text: str) -> str:
    """Return a text of several lines without invisible characters, and at most one empty line in a row."""
    stripped = [_visible(line).strip() for line in text.strip().splitlines()]
    return "\n".join(
        line for number, line in enumerate(stripped) if line or number == 0 or stripped[number - 1]
    )


def _visible(text: str) -> str:
    """Return a text in which spaces replace characters that are not printed, such as those of direction."""
    return "".join(character if character.isprintable() else " " for character in text)
