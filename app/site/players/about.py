"""What players tell about themselves on their profiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from app.core.i18n import names
from app.core.i18n.text import _
from app.core.web.plain_text import lines

MOST_CHARACTERS = 1000
MOST_LANGUAGES = 3
MOST_LINKS = 5
_LONGEST_LINK = 200


@dataclass(frozen=True, slots=True)
class About:
    """What a player tells: a text, a country and languages by their codes ("" and () for none), and links."""

    text: str = ""
    country: str = ""
    languages: Sequence[str] = ()
    links: Sequence[str] = ()

    @property
    def has_words(self) -> bool:
        """Return whether it has anything that the player wrote."""
        return bool(self.text or self.links)


def _known_country(code: str) -> str:
    if code and code not in names.COUNTRIES:
        raise ValueError(_("Choose one of the options."))
    return code


def _known_language(code: str) -> str:
    if code not in names.LANGUAGES:
        raise ValueError(_("Choose one of the options."))
    return code


def _safe_link(link: str) -> str:
    """Return a link that leads to another site by http or https, and to nobody's account there."""
    parts = urlsplit(link)
    is_web = parts.scheme in ("http", "https") and "." in (parts.hostname or "") and "@" not in parts.netloc
    if not is_web or not link.isascii() or not link.isprintable() or " " in link:
        raise ValueError(_("Enter links as your browser shows them, such as https://example.org/me."))
    return link


AboutText = Annotated[
    str, Field(max_length=MOST_CHARACTERS, examples=["I play on Sundays."]), AfterValidator(lines)
]
Country = Annotated[str, Field(examples=["pl"]), AfterValidator(_known_country)]
Language = Annotated[str, Field(examples=["en"]), AfterValidator(_known_language)]
Link = Annotated[
    str, Field(max_length=_LONGEST_LINK, examples=["https://wren.example"]), AfterValidator(_safe_link)
]
