"""The board: where each block lies, what a push does to it, and when it is solved."""

from dataclasses import dataclass

from engine.golden_nugget.blocks import BLOCKS, COLOUR_TABLES, Face

SIZE = 7
MAX_MOVES = 99
"""The most moves that may be made on one board."""

FORCES = "1234567ABCDEFGHIJKLMNOPQRSTU"
"""The forces clockwise from the top left: above the columns, right of the rows, below, and left."""


def _lines() -> dict[str, slice]:
    """Give the squares that each force pushes, as a slice of the board that starts at the force."""
    lines = {}
    for place, force in enumerate(FORCES):
        side, number = divmod(place, SIZE)
        column = (number, 0, SIZE - 1 - number, 0)[side]
        row = (0, number, 0, SIZE - 1 - number)[side]
        lines[force] = (
            slice(column, None, SIZE),  # from above, down
            slice(row * SIZE + SIZE - 1, (row * SIZE - 1) if row else None, -1),  # from the right, leftwards
            slice(SIZE * (SIZE - 1) + column, None, -SIZE),  # from below, up
            slice(row * SIZE, (row + 1) * SIZE),  # from the left, rightwards
        )[side]
    return lines


LINES = _lines()
_WHITE = b"W"


@dataclass(frozen=True, slots=True)
class Board:
    """An arrangement: which face is up, and the block numbers row by row from the top left (49 bytes)."""

    face: Face
    cells: bytes

    @property
    def colours(self) -> bytes:
        """Give the letters of the colours as they lie, row by row from the top left."""
        return self.cells.translate(COLOUR_TABLES[self.face])


START = Board(Face.A, bytes(BLOCKS))
"""The start of board 1: block k on square k, face A up."""


@dataclass(frozen=True, slots=True)
class Push:
    """One move: the force, and the square (1 to 7, counted from the force) of the block that was lifted."""

    force: str
    lifted: int

    @property
    def full(self) -> str:
        """Give the full record of the move, such as P7."""
        return f"{self.force}{self.lifted}"


class IllegalPush(ValueError):  # noqa: N818 - the field's name for it
    """A push that the rules do not allow; `reason` is `no_white` or `no_colour_moves`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def push(board: Board, force: str) -> tuple[Board, Push]:
    """Lift the farthest white block, slide those before it one square, and put it down at the force.

    Raises IllegalPush when there is no white block in the line or no coloured block would move, and
    ValueError for a force that does not exist.
    """
    if force not in LINES:
        raise ValueError(f"There is no force {force!r}; forces are 1 to 7 and A to U.")
    line = LINES[force]
    blocks = board.cells[line]
    colours = blocks.translate(COLOUR_TABLES[board.face])
    lifted = colours.rfind(_WHITE)
    if lifted < 0:
        raise IllegalPush("no_white", "There is no white block in this line to lift.")
    if not colours[:lifted].strip(_WHITE):
        raise IllegalPush("no_colour_moves", "No coloured block would move.")
    cells = bytearray(board.cells)
    cells[line] = blocks[lifted : lifted + 1] + blocks[:lifted] + blocks[lifted + 1 :]
    return Board(board.face, bytes(cells)), Push(force, lifted + 1)


def undo(board: Board, made: Push) -> Board:
    """Take back a push. Raises ValueError when this board cannot have come from it."""
    line = LINES[made.force]
    blocks = board.cells[line]
    cells = bytearray(board.cells)
    cells[line] = blocks[1 : made.lifted] + blocks[:1] + blocks[made.lifted :]
    before = Board(board.face, bytes(cells))
    try:
        after, again = push(before, made.force)
    except IllegalPush:
        after, again = before, made
    if (after, again) != (board, made):
        raise ValueError(f"{made.full} cannot have led to this board.")
    return before


def pushes(board: Board) -> dict[str, Push | IllegalPush]:
    """Give for each of the 28 forces the push that it would make, or why it cannot."""
    found: dict[str, Push | IllegalPush] = {}
    for force in FORCES:
        try:
            found[force] = push(board, force)[1]
        except IllegalPush as illegal:
            found[force] = illegal
    return found


def is_solved(board: Board) -> bool:
    """Tell whether the middle 5x5 is five rows, or five columns, of a single colour each."""
    colours = board.colours
    middle = range(1, SIZE - 1)
    rows = [colours[row * SIZE + 1 : row * SIZE + SIZE - 1] for row in middle]
    columns = [colours[SIZE + column : SIZE * (SIZE - 1) : SIZE] for column in middle]
    return any(
        all(len(set(strip)) == 1 and strip[:1] != _WHITE for strip in strips) for strips in (rows, columns)
    )


def turn(board: Board) -> Board:
    """Turn every block over where it lies: the start of the next board."""
    return Board(board.face.other, board.cells)
