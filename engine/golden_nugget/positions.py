"""Keys of positions: positions that differ only by a symmetry of the game have the same key.

The symmetries are the 16 images of a board: turned or mirrored in 8 ways, with its faces as they are or
exchanged. The exchange of faces, together with that of yellow and green and of blue and red, maps the set of
blocks to itself. Pushing, turning the blocks and solving commute with all of them.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, SPANS, Board, lifted
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
_LANE = 64  # bits of a random number

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

_MOVES = {force: tuple(f"{force}{place}" for place in range(1, 8)) for force in FORCES}
_LANES = _LANE * len(IMAGES)
_LOWER = (1 << _LANES) - 1
_SUM_OF_LANES = (1 << _LANE) - 1
"""A number modulo this is the sum of its lanes modulo this."""

# Lookup tables for whether a position is crowded: which blocks show a colour, which squares are outside.
_COLOURED = {
    face: bytes(COLOURS[face].get(block, Colour.WHITE) is not Colour.WHITE for block in range(256))
    for face in Face
}
_OUTSIDE = int.from_bytes(bytes(square // 7 in (0, 6) or square % 7 in (0, 6) for square in range(49)))


def looks(board: Board) -> tuple[Look, ...]:
    """Return the looks of the blocks of a board, square by square."""
    shown, hidden = COLOURS[board.face], COLOURS[board.face.other]
    return tuple((shown[block], hidden[block]) for block in board.cells)


def keys(start: Board, forces: Iterable[str]) -> Sequence[int]:
    """Return the keys of a position and of those after each of the pushes; see `follow`."""
    return follow(start, "".join(forces)).keys


@dataclass(frozen=True, slots=True)
class Way:
    """What pushes lead to: the keys of the positions, the moves in full notation, and the last board."""

    keys: Sequence[int]
    moves: tuple[str, ...]
    end: Board


@lru_cache(maxsize=2_000)  # ten long entries, which are verified and compared; copies have boards of others
def follow(start: Board, forces: str) -> Way:
    """Return what pushes lead to from a position.

    Keys are signed numbers of 64 bits. Raise IllegalPush if a push is illegal. Two positions have the same
    key if they are images of each other, or if they show images of the same colours and are CROWDED; others
    do but for chance, which is 1 in 10**9 for a position among those of a million entries.
    """
    face, cells = start.face, bytearray(start.cells)
    numbers, coloured = _numbers(face), _COLOURED[face]
    moves = []
    number = 0
    for of_square, block in zip(numbers, cells, strict=True):
        number ^= of_square[block]
    found = [_key(cells.translate(coloured), number)]
    for force in forces:
        where = SPANS[force]
        line, pushed = cells[where], cells[where]
        far = lifted(face, line, force)
        moves.append(_MOVES[force][far])
        pushed.insert(0, pushed.pop(far))
        cells[where] = pushed
        for square, was, now in zip(FORCES[force][: far + 1], line, pushed, strict=False):
            of_square = numbers[square]
            number ^= of_square[was] ^ of_square[now]
        found.append(_key(cells.translate(coloured), number))
    return Way(tuple(found), tuple(moves), Board(face, tuple(cells)))


def _key(coloured: bytearray, number: int) -> int:
    """Return the sum of the numbers of the 16 images, which is the same for each of the images."""
    is_crowded = (int.from_bytes(coloured) & _OUTSIDE).bit_count() >= CROWDED
    of_images = number & _LOWER if is_crowded else number >> _LANES
    return of_images % _SUM_OF_LANES - (1 << _LANE - 1)


@cache
def _numbers(face: Face) -> list[list[int]]:
    """Return, for each square and each block on it, random numbers one after another in a long number.

    They are one for each image by what the block shows, and one for each image by both of its faces. The
    exclusive or of those of all squares is the number of a position in all of its images (Zobrist hashing).
    """
    looks = [(colour, COLOURS[face.other][block]) for block, colour in sorted(COLOURS[face].items())]
    return [[0, *(_of_images(square, look) for look in looks)] for square in range(len(looks))]


@cache
def _of_images(square: int, look: Look) -> int:
    return int.from_bytes(
        b"".join(
            _random(image.targets[square], image.look(look)[:sides]) for sides in (1, 2) for image in IMAGES
        ),
        "little",
    )


@cache
def _random(square: int, colours: tuple[Colour, ...]) -> bytes:
    """Return a number that only depends on its arguments, as bytes."""
    text = f"{square} {' '.join(colours)}"
    return hashlib.blake2b(text.encode(), digest_size=_LANE // 8).digest()
