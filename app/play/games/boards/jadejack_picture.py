"""A position of JadeJack as an SVG document of its own, for links and for paper."""

from app.play.games.boards.picture_frame import framed_picture, middle_of
from engine import squares
from engine.jadejack import JADEJACK, PASS, Position

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
