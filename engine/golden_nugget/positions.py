"""Keys of positions: positions that differ only by a symmetry of the game have the same key.

The symmetries are the 16 images of a board: turned or mirrored in 8 ways, with its faces as they are or
exchanged. The exchange of faces, together with that of yellow and green and of blue and red, maps the set of
blocks to itself. Pushing, turning the blocks and solving commute with all of them.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, Board, push
from engine.symmetry import turns

CROWDED = 6
"""From so many coloured blocks outside of the middle on, a position is known by what it shows.

With fewer of them the boards of all players begin to look alike, as they do when they are solved: then a
position is known by both faces of its blocks.
"""

_EXCHANGED = {
    Colour.WHITE: Colour.WHITE,
    Colour.YELLOW: Colour.GREEN,
    Colour.GREEN: Colour.YELLOW,
    Colour.BLUE: Colour.RED,
    Colour.RED: Colour.BLUE,
    Colour.PINK: Colour.PINK,
}
_OUTSIDE = itemgetter(*(square for square in range(49) if square // 7 in (0, 6) or square % 7 in (0, 6)))
_COLOURED = {
    face: frozenset(block for block, colour in colours.items() if colour is not Colour.WHITE)
    for face, colours in COLOURS.items()
}
_KEY_BYTES = 8

Look = tuple[Colour, Colour]
"""The colours of a block on a board: of the face that it shows, and of the other one."""


@dataclass(frozen=True, slots=True)
class Image:
    """A symmetry of the game: the square to which each square goes, and whether the faces are exchanged."""

    targets: tuple[int, ...]
    exchanges_faces: bool

    def look(self, look: Look) -> Look:
        """Return what becomes of the look of a block."""
        shown, hidden = look
        return (_EXCHANGED[shown], _EXCHANGED[hidden]) if self.exchanges_faces else look


IMAGES = tuple(Image(turn.targets, exchanges) for exchanges in (False, True) for turn in turns(7))
"""The 16 symmetries of the game."""

_UNPACK = struct.Struct(f"<{len(IMAGES)}q").unpack


def looks(board: Board) -> tuple[Look, ...]:
    """Return the looks of the blocks of a board, square by square."""
    shown, hidden = COLOURS[board.face], COLOURS[board.face.other]
    return tuple((shown[block], hidden[block]) for block in board.cells)


def keys(start: Board, forces: Iterable[str]) -> list[int]:
    """Return the keys of a position and of those after each of the pushes, signed numbers of 64 bits.

    Raise IllegalPush if a push is illegal. Two positions have the same key if they are images of each other,
    or if they show images of the same colours and are CROWDED; others do but for chance, which is 1 in 10**9
    for a position among those of a million entries.
    """
    shown, whole = numbers(start.face)
    board = start
    by_shown, by_whole = _sum(shown, start.cells), _sum(whole, start.cells)
    found = [_key(board, by_shown, by_whole)]
    for force in forces:
        after, move = push(board, force)
        for square in FORCES[force][: move.lifted]:
            was, now = board.cells[square], after.cells[square]
            by_shown ^= shown[square][was] ^ shown[square][now]
            by_whole ^= whole[square][was] ^ whole[square][now]
        board = after
        found.append(_key(board, by_shown, by_whole))
    return found


def _key(board: Board, by_shown: int, by_whole: int) -> int:
    """Return the least of the numbers of the 16 images, which is the same for each of the images."""
    numbers = by_shown if _is_crowded(board) else by_whole
    of_images: tuple[int, ...] = _UNPACK(numbers.to_bytes(_KEY_BYTES * len(IMAGES), "little"))
    return min(of_images)


def _is_crowded(board: Board) -> bool:
    return len(_COLOURED[board.face].intersection(_OUTSIDE(board.cells))) >= CROWDED


Numbers = Sequence[Mapping[int, int]]
"""For each square and each block on it a random number for each image, one after another in a long number.

The exclusive or of those of all squares is the number of a position in all of its images (Zobrist hashing).
"""


def _sum(numbers: Numbers, cells: Sequence[int]) -> int:
    total = 0
    for square, block in enumerate(cells):
        total ^= numbers[square][block]
    return total


@cache
def numbers(face: Face) -> tuple[Numbers, Numbers]:
    """Return the numbers of blocks by what they show, and by both faces."""
    looks = {block: (colour, COLOURS[face.other][block]) for block, colour in COLOURS[face].items()}
    shown, whole = (
        [
            {block: _of_images(square, look, sides) for block, look in looks.items()}
            for square in range(len(looks))
        ]
        for sides in (1, 2)
    )
    return shown, whole


@cache
def _of_images(square: int, look: Look, sides: int) -> int:
    return int.from_bytes(
        b"".join(_random(image.targets[square], image.look(look)[:sides]) for image in IMAGES), "little"
    )


@cache
def _random(square: int, colours: tuple[Colour, ...]) -> bytes:
    """Return a number that only depends on its arguments, as bytes."""
    text = f"{square} {' '.join(colours)}"
    return hashlib.blake2b(text.encode(), digest_size=_KEY_BYTES).digest()
