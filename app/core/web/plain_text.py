"""Texts that players write: names and titles on one line, and paragraphs.

Both are in Unicode's normal form C, without characters that nobody sees or whose effects other readers cannot
foresee, and without piles of marks. What emoji and scripts need stays.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import regex
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from app.core.i18n.text import _

SHORTEST_TITLE = 3  # characters

_MOST_MARKS = 5  # on a letter: scripts stack up to five, of Burmese vowels and tones

_UNSEEN = r"[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Cn}]"
# Controls, separators, and characters that are drawn as nothing although Unicode calls them visible.
_BLANK = r"[\p{Cc}\p{Z}\u2800\uFFFC\U0001D159\U00013441\U00013442\U00016FE4]"

# Joiners, selectors and tags have a meaning after some visible characters only. Only characters that stay can
# give them one: otherwise a text that was cleaned would lose more when it is sent again.
_MEANT = rf"""
    [\p{{Extended_Pictographic}}] \p{{Emoji_Modifier}}? [\uFE0E\uFE0F]?
        (?: \u200D \p{{Extended_Pictographic}} \p{{Emoji_Modifier}}? \uFE0F? )*
        (?: (?<=\U0001F3F4) [\U000E0020-\U000E007E]{{1,8}} \U000E007F )?
    | [0-9\#*] \uFE0F? \u20E3
    | \p{{Han}} [\uFE00-\uFE0F\U000E0100-\U000E01EF]
    | [\p{{Mongolian}}--{_UNSEEN}] [\u180B-\u180D\u180F]
    | (?<= [\p{{L}}--[\p{{Latin}}\p{{Greek}}\p{{Cyrillic}}\p{{Han}}\p{{Hangul}}\p{{Hiragana}}
        \p{{Katakana}}\p{{Common}}\p{{Inherited}}]--{_UNSEEN}--{_BLANK}] [\p{{M}}--{_BLANK}]* )
        [\u200C\u200D] (?= [[\p{{L}}\p{{M}}]--{_UNSEEN}--{_BLANK}] )
"""

_ODD = regex.compile(rf"(?P<meant>{_MEANT})|{_UNSEEN}|(?P<blank>{_BLANK})", regex.VERBOSE | regex.VERSION1)
_PILE = regex.compile(rf"(\p{{M}}{{{_MOST_MARKS}}})\p{{M}}+")
# Normalising takes time with the square of the marks in a row. A decomposed letter has up to three more.
_HIGH_PILE = regex.compile(rf"(\p{{M}}{{{_MOST_MARKS + 3}}})\p{{M}}+")
_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")


@dataclass(frozen=True)
class Cleaned:
    """How the text of a field is cleaned: `Annotated[str, Field(max_length=80), Cleaned(words)]`.

    The limits of the field hold for what is sent and for what is stored, since cleaning makes some texts
    shorter, and normal form makes some longer.
    """

    clean: Callable[[str], str]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the steps of checking: the text that was sent, and its clean form as if that had been."""
        text = handler(source)
        return core_schema.chain_schema(
            [core_schema.no_info_after_validator_function(self.clean, text), text]
        )


def words(text: str) -> str:
    """Return the visible words of a text, separated by single spaces."""
    line = " ".join(_legible(text).split())
    return line if _VISIBLE.search(line) else ""


def one_line(text: str) -> str:
    """Return a text as one line of visible characters. Raise ValueError if nothing is left."""
    return _not_empty(words(text))


def lines(text: str) -> str:
    """Return a text of several lines of visible characters, and at most one empty line in a row."""
    stripped = [words(line) for line in text.splitlines()]
    return "\n".join(
        line for number, line in enumerate(stripped) if line or number == 0 or stripped[number - 1]
    ).strip()


def written_lines(text: str) -> str:
    """Return a text of several lines, as `lines` does. Raise ValueError if nothing is left."""
    return _not_empty(lines(text))


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError(_("Write something first."))
    return text


def _legible(text: str) -> str:
    seen = _HIGH_PILE.sub(r"\1", _ODD.sub(_kept, text))
    return _PILE.sub(r"\1", unicodedata.normalize("NFC", seen))


def _kept(odd: "regex.Match[str]") -> str:
    """Return what stays of characters that may be invisible: those that are meant, or a space for a blank."""
    return odd["meant"] or (" " if odd["blank"] else "")
