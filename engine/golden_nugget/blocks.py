"""The 49 blocks and the colours of their two faces (figure 3 of the game's principles)."""

from enum import StrEnum


class Colour(StrEnum):
    """A colour of a face. Its letter is its place in the tables of this module."""

    WHITE = "white"
    YELLOW = "yellow"
    BLUE = "blue"
    PINK = "pink"
    RED = "red"
    GREEN = "green"

    @property
    def letter(self) -> str:
        """Give the colour's initial: W, Y, B, P, R or G."""
        return self[0].upper()


class Face(StrEnum):
    """A face of the blocks; all of them show the same one."""

    A = "A"
    B = "B"

    @property
    def other(self) -> "Face":
        """Give the face below."""
        return Face.B if self is Face.A else Face.A


BLOCKS = range(1, 50)

_LETTERS = {
    Face.A: "YWBWPWR WPWRWGW BWYWBWG WGWGWYW YWRWPWY WRWPWBW GWRWPWB".replace(" ", ""),
    Face.B: "WWWYWWY YPWWBWB PGWWRWY WWYWGWW PWGWGPB GRRRWWP BWWRWWB".replace(" ", ""),
}
_COLOURS = {colour.letter: colour for colour in Colour}

COLOUR_TABLES = {face: bytes.maketrans(bytes(BLOCKS), letters.encode()) for face, letters in _LETTERS.items()}
"""For each face, a table for `bytes.translate` from block numbers to the letters of their colours."""


def colour(block: int, face: Face) -> Colour:
    """Give the colour that a block (1 to 49) shows on a face."""
    return _COLOURS[_LETTERS[face][block - 1]]
