"""Lower bounds: proofs that a board is not solved in fewer than so many moves.

docs/golden-nugget-bounds.md describes the certificate, and why it proves what it says.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, permutations
from operator import itemgetter
from typing import Any

from engine.golden_nugget import board as boards
from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import FORCES, MOVE_LIMIT, Board, Strips

FORMAT = "gorrion bound 1"

UNIT = 12
"""How far a push lowers a board at most."""

MAX_HEIGHTS = 64
"""The maximum number of tables of heights for one layout."""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The heights 0 to 61 as they are written."""

PAINTS = tuple(colour for colour in Colour if colour is not Colour.WHITE)

_COLOURED = {
    face: frozenset(block for block, colour in colours.items() if colour is not Colour.WHITE)
    for face, colours in COLOURS.items()
}
_BORDER = tuple(square for square in range(49) if square // 7 in {0, 6} or square % 7 in {0, 6})
_of_border = itemgetter(*_BORDER)

Cells = tuple[int, ...]
"""What each of the 49 squares shows: 0 is white, 1 to 5 are the PAINTS."""

Heights = tuple[tuple[int, ...], ...]
"""A height on each of the 49 squares for each of the PAINTS."""

Exhaust = Callable[[Cells, Cells, Sequence[Heights], int], bool]
"""Return whether a search of all ways from a position to a layout, which may leave out what heights rule out,
ends and finds none of so many moves."""


def cells_of(board: Board) -> Cells:
    """Return what the squares of a board show."""
    numbers = list(Colour)
    return tuple(numbers.index(COLOURS[board.face][block]) for block in board.cells)


def _layouts() -> dict[str, Cells]:
    layouts = {}
    for strips in Strips:
        for order in permutations(range(1, 6)):
            cells = [0] * 49
            for across, paint in enumerate(order, start=1):
                for along in range(1, 6):
                    row, column = (across, along) if strips is Strips.ROWS else (along, across)
                    cells[7 * row + column] = paint
            layouts[f"{strips} {''.join(PAINTS[paint - 1][0] for paint in order)}"] = tuple(cells)
    return layouts


LAYOUTS: Mapping[str, Cells] = _layouts()
"""The 240 forms of a solved board by their names, such as `rows ybprg`: the strips from the top left on."""

MAX_BYTES = len(LAYOUTS) * MAX_HEIGHTS * 256
"""The maximum size of a certificate, in bytes: a table of heights has 253, which leaves room for all else."""


def fall(heights: Heights) -> int:
    """Return how far a push lowers a board at most.

    A push takes at most one block over each of the six steps of its line, whatever its colour.
    """
    return max(
        sum(max(0, *(of_paint[near] - of_paint[far] for of_paint in heights)) for near, far in pairwise(line))
        for line in FORCES.values()
    )


def height(heights: Heights, cells: Cells) -> int:
    """Return the sum of the heights of all coloured blocks."""
    return sum(heights[paint - 1][square] for square, paint in enumerate(cells) if paint)


def least_moves(heights: Heights, cells: Cells, layout: Cells) -> int:
    """Return a lower bound of the moves from a position to a layout, given heights with a fall of UNIT."""
    return max(0, -((height(heights, layout) - height(heights, cells)) // UNIT))


def border_bound(board: Board) -> int:
    """Return how many coloured blocks are outside of the middle: a push brings in one of them at most."""
    return sum(map(_COLOURED[board.face].__contains__, _of_border(board.cells)))


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof that a board has no solution in fewer than `bound` moves: tables of heights by layouts."""

    board: Board
    bound: int
    layouts: Mapping[str, Sequence[Heights]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a certificate proves nothing: `syntax`, `too_steep` or `not_proven`, and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a certificate proves, if it is `valid`: that `position` takes `bound` moves or more.

    `searched` counts the layouts for which heights were not enough, and a search was needed.
    """

    valid: bool
    position: str | None
    bound: int | None
    searched: int
    errors: tuple[Flaw, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as JSON."""
        return asdict(self)


def to_text(certificate: Certificate) -> str:
    """Return a certificate as a file."""
    layouts = {
        layout: [words_of(heights) for heights in tables] for layout, tables in certificate.layouts.items()
    }
    board = certificate.board
    fields = {
        "format": FORMAT,
        "position": boards.to_text(board),
        "bound": certificate.bound,
        "layouts": layouts,
    }
    return f"{json.dumps(fields, indent=0)}\n"


def words_of(heights: Heights) -> str:
    """Return a table of heights as a certificate has it."""
    return " ".join("".join(DIGITS[height] for height in of_paint) for of_paint in heights)


def parse(data: bytes) -> Certificate:
    """Return the certificate of a file. Raise ValueError with a sentence if it is none."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"A certificate has at most {MAX_BYTES} bytes.")
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("A certificate is JSON.") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise ValueError(f"A certificate has the format {FORMAT!r}.")
    bound, layouts = fields.get("bound"), fields.get("layouts")
    if type(bound) is not int or not 0 <= bound <= MOVE_LIMIT:
        raise ValueError(f"The bound is a number from 0 to {MOVE_LIMIT}.")
    if not isinstance(layouts, dict) or layouts.keys() != LAYOUTS.keys():
        raise ValueError(f"The layouts are those {len(LAYOUTS)} that a solved board has.")
    tables = {}
    for layout, texts in layouts.items():
        if not isinstance(texts, list) or not 1 <= len(texts) <= MAX_HEIGHTS:
            raise ValueError(f"A layout has 1 to {MAX_HEIGHTS} tables of heights.")
        tables[layout] = tuple(map(heights_of, texts))
    return Certificate(boards.parse(str(fields.get("position"))), bound, tables)


def heights_of(text: object) -> Heights:
    """Return a table of heights from its words. Raise ValueError."""
    words = text.split(" ") if isinstance(text, str) else []
    if len(words) != len(PAINTS) or any(len(word) != 49 or not set(word) <= set(DIGITS) for word in words):
        raise ValueError(f"A table of heights is {len(PAINTS)} words of 49 letters and digits.")
    return tuple(tuple(map(DIGITS.index, word)) for word in words)


def verify(data: bytes, exhaust: Exhaust | None) -> Verdict:
    """Return what a certificate proves, computed anew. Where heights are not enough, `exhaust` searches."""
    try:
        certificate = parse(data)
    except ValueError as error:
        return Verdict(False, None, None, 0, (Flaw("syntax", str(error)),))
    cells, bound = cells_of(certificate.board), certificate.bound
    searched = 0
    flaws = []
    for name, tables in certificate.layouts.items():
        layout = LAYOUTS[name]
        if any(fall(heights) > UNIT for heights in tables):
            flaws.append(Flaw("too_steep", f"{name}: a push may lower a board by more than {UNIT}."))
        elif max(least_moves(heights, cells, layout) for heights in tables) < bound:
            searched += 1
            if exhaust is None or not exhaust(cells, layout, tables, bound - 1):
                flaws.append(Flaw("not_proven", f"{name}: a solution in {bound - 1} moves is not ruled out."))
    return Verdict(not flaws, boards.to_text(certificate.board), bound, searched, tuple(flaws))
