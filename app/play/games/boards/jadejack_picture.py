"""JadeJack as SVG documents: a position, for links and for paper, and a game that plays by itself."""

from functools import cache
from itertools import pairwise

from app.play.games.boards.board import framed_picture, middle_of
from engine import squares
from engine.jadejack import JADEJACK, PASS, Position
from engine.record import GameRecord
from engine.variations import Tree

_FACES = {"b": ("#2c2725", "#14110f", "#a8998a"), "w": ("#f8f0df", "#dccdb2", "#4d3f32")}  # face, side, rim


def picture(position: Position, last_move: str | None) -> str:
    """Return an SVG document of the position, with a ring around the last move."""
    size = position.size
    last = None if last_move is None or last_move == PASS else squares.locate(last_move, size)
    stacks = (
        stack_picture(stack, *middle_of(index, size), is_last=index == last)
        for index, stack in enumerate(position.stacks)
        if stack
    )
    return framed_picture(JADEJACK.title, size, stacks)


def stack_picture(stack: str, x: float, y: float, *, is_last: bool) -> str:
    """Return a stack of disks around a point; `is_last` draws the ring of the last move."""
    thick = min(4.8, 24 / len(stack))
    foot = y + (len(stack) * thick) / 2
    parts = []
    if is_last:
        parts.append(
            f'<ellipse cx="{x}" cy="{foot - thick / 2:.1f}" rx="18" ry="10.6" fill="none" '
            'stroke="#8a2f1c" stroke-width="1.8"/>'
        )
    for height, disk in enumerate(stack, 1):
        face, edge, rim = _FACES[disk]
        top = foot - height * thick
        parts.append(
            f'<path d="M{x - 14} {top:.1f}v{thick:.1f}a14 7.5 0 0 0 28 0v{-thick:.1f}z" '
            f'fill="{edge}" stroke="{rim}"/>'
            f'<ellipse cx="{x}" cy="{top:.1f}" rx="14" ry="7.5" fill="{face}" stroke="{rim}"/>'
        )
    if len(stack) >= 4:
        colour = _FACES["w" if stack[-1] == "b" else "b"][0]
        top = foot - len(stack) * thick
        parts.append(
            f'<text x="{x}" y="{top + 4:.1f}" font-size="11" text-anchor="middle" fill="{colour}">'
            f"{len(stack)}</text>"
        )
    return "".join(parts)


_SECONDS = 1.2  # that each ply is shown
_LEAD = 30  # plies with which it begins the first time
_PAUSE = 5  # plies as long as which the last position is shown


def film(record: GameRecord) -> str:
    """Return the game move by move, over and over. Where motion is not wanted, it is the last position."""
    positions = record.positions()
    size = positions[0].size
    plies = len(positions)
    length = plies + _PAUSE
    changes = [
        (index, ply, stack)
        for index in range(size * size)
        for ply, stack in enumerate(position.stacks[index] for position in positions)
        if ply == 0 or stack != positions[ply - 1].stacks[index]
    ]
    shown: list[str] = []
    rules: list[str] = []
    for (index, ply, stack), (next_index, next_ply, _) in pairwise([*changes, (-1, 0, "")]):
        if stack:
            until = next_ply if next_index == index else length
            name = f"s{len(shown)}"
            final = "" if until == length else ' class="past"'
            drawn = stack_picture(stack, *middle_of(index, size), is_last=False)
            shown.append(f'<g id="{name}"{final}>{drawn}</g>')
            rules.append(_shown_between(name, ply / length, until / length))
    timing = f"{length * _SECONDS:g}s step-end {-_LEAD * _SECONDS:g}s infinite"
    style = (
        "<style>.past{visibility:hidden}@media (prefers-reduced-motion:no-preference){"
        f"g{{animation:{timing}}}{''.join(rules)}}}</style>"
    )
    return framed_picture(JADEJACK.title, size, [style, *shown])


def _shown_between(name: str, start: float, end: float) -> str:
    """Return the rules by which an element is visible for a part of the film, 0 to 1."""
    frames = f"0%{{visibility:hidden}}{start:.2%}{{visibility:visible}}"
    if end < 1:
        frames += f"{end:.2%}{{visibility:hidden}}"
    return f"#{name}{{animation-name:{name}}}@keyframes {name}{{{frames}}}"


_MOVES = """
    e4 d6 e4 d3 e6 d7 b6 e3 c6 d5 b3 d4 f4 c7 c5 c4 h3 c3 b2 g6 f6 h6 f7 c8 b5 g8 g3 f8 g3 e2 e9 e8 f9 e7 g5
    g8 f7 g7 h5 f7 b4 f2 h2 f3 f5 e6 h9 c1 b1 d1 h8 e4 a7 b8 i5 a8 i6 h7 a7 h8
"""
_RECORD = GameRecord("jadejack", {"size": 9}, Tree.of_moves(_MOVES.split()))


@cache
def sample_film() -> str:
    """Return the game as an animated SVG document."""
    return film(_RECORD)


@cache
def sample_picture() -> str:
    """Return the last position as an SVG document."""
    return picture(_RECORD.positions()[-1], _RECORD.moves[-1])
