"""Positions changed in what the rules do not see, for each game."""

from dataclasses import replace

from engine import symmetry
from engine.game import Side
from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import Board
from engine.jadejack import position_of
from engine.jumping_farther import Position as Match
from engine.number_grid import leading_to, queen_sets, rook_squares

HIGHEST_LEAD = 48  # in strength, on any board


def of_jadejack(position, generator):
    """Other buried disks, higher stacks where none can be hijacked, other colours, the board turned."""
    turn = generator.choice(symmetry.turns(position.size))
    stacks = tuple(_other_disks(position.stacks[source], generator) for source in turn.sources)
    side = position.side
    if generator.random() < 0.5:
        side = Side.WHITE if side is Side.BLACK else Side.BLACK
        stacks = tuple(stack.translate(str.maketrans("bw", "wb")) for stack in stacks)
    return position_of(position.size, stacks, side, position.passes)


def _other_disks(stack, generator):
    if len(stack) < 2:
        return stack
    more = generator.choice((0, 1, 5)) if len(stack) > HIGHEST_LEAD and stack[-1] == stack[-2] else 0
    return "".join(generator.choices("bw", k=len(stack) - 2 + more)) + stack[-2:]


def of_jumping(position, generator):
    """Earlier numbers elsewhere, dead squares filled, other points and rounds, a larger board and steps."""
    round_ = position.current
    if len(round_.cells) < 2:
        return position
    step = generator.choice([step for step in (1, 2, 3) if (round_.size - 1) * step < 12])
    size = generator.randint((round_.size - 1) * step + 1, 12)
    free = (1 << round_.size**2) - 1 & ~round_.taken
    left = leading_to(queen_sets(round_.size)[round_.cells[-1]], free, queen_sets(round_.size))
    kept = {_moved(square, round_.size, step, size) for square in _squares(left)}
    last = _moved(round_.cells[-1], round_.size, step, size)
    others = [square for square in range(size**2) if square not in kept and square != last]
    generator.shuffle(others)
    cells, taken = (*others, last), sum(1 << square for square in (*others, last))
    fars = [far * step for _, far in round_.reach()]
    least = max((far for far in fars if far <= round_.last_jump * step), default=1)
    most = min((far for far in fars if far > round_.last_jump * step), default=12) - 1
    disguised = replace(
        round_, size=size, cells=cells, taken=taken, points=(9, 0), last_jump=generator.randint(least, most)
    )
    turned = _turned_round(disguised, generator.choice(symmetry.turns(size)))
    return Match((round_, turned), 2) if generator.random() < 0.5 else Match((turned,), 1)


def _moved(square, size, step, larger):
    row, column = divmod(square, size)
    return row * step * larger + column * step


def _turned_round(round_, turn):
    cells = tuple(turn.targets[cell] for cell in round_.cells)
    return replace(round_, cells=cells, taken=sum(1 << cell for cell in cells))


def of_up_and_up(position, generator):
    """Earlier numbers elsewhere, dead squares filled, other resets, the board turned and larger."""
    if not position.cells:
        return position
    size = generator.randint(position.size, 12)
    free = (1 << position.size**2) - 1 & ~position.taken
    starts = sum(1 << square for square in position.reach())
    lines = [sum(1 << square for at in far for square in at) for far in rook_squares(position.size)]
    kept = {_moved(square, position.size, 1, size) for square in _squares(leading_to(starts, free, lines))}
    last = _moved(position.cells[-1], position.size, 1, size)
    others = [square for square in range(size**2) if square not in kept and square != last]
    generator.shuffle(others)
    cells = (*others, last)
    disguised = replace(position, size=size, cells=cells, resets=7, taken=sum(1 << cell for cell in cells))
    return _turned_round(disguised, generator.choice(symmetry.turns(size)))


def of_golden_nugget(board, generator):
    """Other blocks that look the same, other names of the colours, the other face, the board turned."""
    colours = [colour for colour in Colour if colour is not Colour.WHITE]
    renamed = {Colour.WHITE: Colour.WHITE, **dict(zip(colours, generator.sample(colours, 5), strict=True))}
    face = generator.choice(list(Face))
    blocks = {colour: [] for colour in Colour}
    for block in generator.sample(range(1, 50), 49):
        blocks[COLOURS[face].get(block, Colour.WHITE)].append(block)
    looks = [COLOURS[board.face].get(block, Colour.WHITE) for block in board.cells]
    turn = generator.choice(symmetry.turns(7))
    return Board(face, tuple(blocks[renamed[looks[source]]].pop() for source in turn.sources))


def _squares(bits):
    return [square for square in range(bits.bit_length()) if bits >> square & 1]


OF = {
    "jadejack": of_jadejack,
    "jumping_farther": of_jumping,
    "up_and_up": of_up_and_up,
    "golden_nugget": of_golden_nugget,
}
