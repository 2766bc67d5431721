"""A position of JadeJack as an image that stands alone, for links and for paper."""

from engine import squares
from engine.jadejack import PASS, Position

_SQUARE, _EDGE = 40, 24
_FACES = {"b": ("#2c2725", "#14110f", "#a8998a"), "w": ("#f8f0df", "#dccdb2", "#4d3f32")}  # face, side, rim


def picture(position: Position, last_move: str | None) -> str:
    """Give an SVG document of the position, with a ring about the last move."""
    size = position.size
    side = size * _SQUARE
    whole = side + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="serif">',
        f"<title>JadeJack {size}×{size}</title>",
        f'<rect width="{whole}" height="{whole}" fill="#7c5830"/>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{side}" height="{side}" fill="#dfc493"/>',
    ]
    lines = "".join(
        f"M{_EDGE + at} {_EDGE}v{side}M{_EDGE} {_EDGE + at}h{side}" for at in range(0, side + 1, _SQUARE)
    )
    parts.append(f'<path d="{lines}" stroke="#a98350" fill="none"/>')
    parts += (_coordinates(place, size, whole) for place in range(size))
    last = squares.locate(last_move, size) if last_move not in (None, PASS) and last_move else None
    for index, stack in enumerate(position.stacks):
        if stack:
            row, column = divmod(index, size)
            x = _EDGE + column * _SQUARE + _SQUARE / 2
            y = _EDGE + (size - 1 - row) * _SQUARE + _SQUARE / 2
            parts.append(_stack(stack, x, y, is_last=index == last))
    return "".join(parts) + "</svg>"


def _coordinates(place: int, size: int, whole: int) -> str:
    middle = _EDGE + place * _SQUARE + _SQUARE / 2
    style = 'fill="#fbeed6" font-size="13" text-anchor="middle"'
    return (
        f'<text x="{middle}" y="{whole - 8}" {style}>{squares.COLUMNS[place]}</text>'
        f'<text x="{_EDGE / 2}" y="{middle + 4}" {style}>{size - place}</text>'
    )


def _stack(stack: str, x: float, y: float, *, is_last: bool) -> str:
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
