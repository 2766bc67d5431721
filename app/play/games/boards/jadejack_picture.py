"""JadeJack as SVG documents: a position, for links and for paper, and a game that plays by itself."""

from collections.abc import Iterator
from itertools import zip_longest

from app.play.games.boards.board import framed_picture, middle_of
from app.play.games.boards.film import Part
from engine import squares
from engine.game_record import GameRecord
from engine.jadejack import JADEJACK, PASS, Position

# A disk is 33 wide in a square of 40, and its faces are ellipses 18.4 high, as in the sprite of pages.
_ACROSS, _DEEP = 16.5, 9.2
_THICK, _ROOM = 5.4, 20.4  # of one disk, and for all disks of a stack

_FACES = {"b": ("#2c2725", "#14110f", "#a8998a"), "w": ("#f8f0df", "#dccdb2", "#4d3f32")}  # face, side, rim


def thickness(height: int) -> float:
    """Return how thick a disk is in a stack of a height: less from the fourth disk on, to fit the square."""
    return min(_THICK, _ROOM / height)


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
    thick = thickness(len(stack))
    foot = y + (len(stack) * thick) / 2
    parts = []
    if is_last:
        parts.append(
            f'<ellipse cx="{x}" cy="{foot:.1f}" rx="19" ry="11.6" fill="none" '
            'stroke="#8a2f1c" stroke-width="1.8"/>'
        )
    for height, disk in enumerate(stack, 1):
        face, edge, rim = _FACES[disk]
        top = foot - height * thick
        parts.append(
            f'<path d="M{x - _ACROSS} {top:.1f}v{thick:.1f}'
            f'a{_ACROSS} {_DEEP} 0 0 0 {2 * _ACROSS} 0v{-thick:.1f}z" fill="{edge}" stroke="{rim}"/>'
            f'<ellipse cx="{x}" cy="{top:.1f}" rx="{_ACROSS}" ry="{_DEEP}" fill="{face}" stroke="{rim}"/>'
        )
    if len(stack) >= 4:
        colour = _FACES["w" if stack[-1] == "b" else "b"][0]
        top = foot - len(stack) * thick
        parts.append(
            f'<text x="{x}" y="{top + 4:.1f}" font-size="11" text-anchor="middle" fill="{colour}">'
            f"{len(stack)}</text>"
        )
    return "".join(parts)


def stacks_of_film(record: GameRecord) -> Iterator[Part]:
    """Yield each stack that stands on a square in the course of a game."""
    positions = record.positions()
    size = positions[0].size
    for index in range(size * size):
        stacks = [position.stacks[index] for position in positions]
        plies = [ply for ply, stack in enumerate(stacks) if ply == 0 or stack != stacks[ply - 1]]
        for ply, end in zip_longest(plies, plies[1:]):
            if stacks[ply]:
                yield Part(stack_picture(stacks[ply], *middle_of(index, size), is_last=False), ply, end)
