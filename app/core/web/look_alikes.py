"""Names that look alike although their letters differ, by Unicode's table of confusables (UTS 39)."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec
import regex

_UNSEEN = regex.compile(r"\p{Default_Ignorable_Code_Point}|\p{Cf}")


class _Like(msgspec.Struct, gc=False):
    """What a text of the table is drawn like, without its name, which nobody reads."""

    c: str


_DECODER = msgspec.json.Decoder(dict[str, list[_Like]])


def skeleton(name: str) -> str:
    """Return what all names that look like a name have in common. It is no text for people."""
    return _drawn(_drawn(name).casefold())


def _drawn(text: str) -> str:
    prototypes = _prototypes()
    seen = _bare(unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKD", "".join(prototypes.get(letter, letter) for letter in seen))


@cache
def _prototypes() -> Mapping[str, str]:
    """Return what stands for each letter that is drawn like others: several letters, or one of its likes."""
    table = _table()
    prototypes: dict[str, str] = {}
    for letter in table:
        if len(letter) == 1 and letter not in prototypes:
            likes = _likes(table, letter)
            drawn_as = min((like for like in likes if len(like) > 1), default=min(likes))
            prototypes |= {like: drawn_as for like in likes if len(like) == 1}
    return prototypes


def _table() -> Mapping[str, Sequence[str]]:
    """Return, for each letter or row of letters, what Unicode says that it is drawn like."""
    # Importing the library's modules would take several times as long, at each start.
    table = _DECODER.decode(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    return {_bare(text): [_bare(other.c) for other in others] for text, others in table.items()}


def _likes(table: Mapping[str, Sequence[str]], letter: str) -> set[str]:
    """Return a letter and all that is drawn like it, each like the one before."""
    likes, new = {letter}, {letter}
    while new:
        new = set[str]().union(*(table.get(like, ()) for like in new if len(like) == 1)) - likes
        likes |= new
    return likes


def _bare(text: str) -> str:
    return _UNSEEN.sub("", text)
