"""The frame of a position drawn as an image: the wood, the lines, letters and numbers."""

from collections.abc import Iterable

from engine import squares

_SQUARE, _EDGE = 40, 24


def framed_picture(title: str, size: int, inside: Iterable[str]) -> str:
    """Return an SVG document of a board whose squares are 40 wide, with its pieces."""
    side = size * _SQUARE
    whole = side + 2 * _EDGE
    lines = "".join(
        f"M{_EDGE + at} {_EDGE}v{side}M{_EDGE} {_EDGE + at}h{side}" for at in range(0, side + 1, _SQUARE)
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="serif">',
        f"<title>{title} {size}×{size}</title>",
        f'<rect width="{whole}" height="{whole}" fill="#7c5830"/>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{side}" height="{side}" fill="#dfc493"/>',
        f'<path d="{lines}" stroke="#a98350" fill="none"/>',
    ]
    for place in range(size):
        middle = _EDGE + place * _SQUARE + _SQUARE / 2
        style = 'fill="#fbeed6" font-size="13" text-anchor="middle"'
        parts.append(f'<text x="{middle}" y="{whole - 8}" {style}>{squares.COLUMNS[place]}</text>')
        parts.append(f'<text x="{_EDGE / 2}" y="{middle + 4}" {style}>{size - place}</text>')
    return "".join([*parts, *inside, "</svg>"])


def middle_of(square: int, size: int) -> tuple[float, float]:
    """Return the middle of a square, an index as in `squares.names`, in the units of the image."""
    row, column = divmod(square, size)
    return _EDGE + (column + 0.5) * _SQUARE, _EDGE + (size - row - 0.5) * _SQUARE
