"""Texts that players write: without control characters, whose effects other readers cannot foresee."""

from app.i18n.text import _


def one_line(text: str) -> str:
    """Return a text as one line of visible characters. Raise ValueError if nothing is left."""
    line = " ".join(_visible(text).split())
    if not line:
        raise ValueError(_("Write something first."))
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
