"""The 49 blocks of Golden Nugget and the colours of their two faces."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Colour(StrEnum):
    """The colours of the faces."""

    WHITE = "white"
    YELLOW = "yellow"
    BLUE = "blue"
    PINK = "pink"
    RED = "red"
    GREEN = "green"


class Face(StrEnum):
    """The two faces of a block. All blocks of a board show the same face."""

    A = "A"
    B = "B"

    @property
    def other(self) -> "Face":
        """Return the opposite face."""
        return Face.B if self is Face.A else Face.A


def _colours(letters: str) -> Mapping[int, Colour]:
    by_letter = {colour[0]: colour for colour in Colour}
    faces = (by_letter[letter] for letter in letters.replace(" ", ""))
    return MappingProxyType(dict(enumerate(faces, start=1)))


COLOURS: Mapping[Face, Mapping[int, Colour]] = {
    Face.A: _colours("ywbwpwr wpwrwgw bwywbwg wgwgwyw ywrwpwy wrwpwbw gwrwpwb"),
    Face.B: _colours("wwwywwy ypwwbwb pgwwrwy wwywgww pwgwgpb grrrwwp bwwrwwb"),
}
"""The colour of each block, 1 to 49, on each face (the source's figure 3)."""
