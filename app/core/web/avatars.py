"""Avatars: a sparrow's egg for each name, always the same one, and as different as eggs of a colony."""

from functools import lru_cache
from hashlib import sha256

from markupsafe import Markup

# Grounds and spots, with a contrast that lasts by day and by night.
_GROUNDS = ("#efe2c6", "#dcc4a0", "#b9cdbf", "#a9c3d6", "#c9b6cf", "#e0b8a2", "#d6cf9a", "#9fb0a4", "#f3efe4")
_SPOTS = ("#5a3a22", "#2d2a2b", "#7d2f24", "#31533f", "#27426b", "#6a4a78", "#8a5a10")
_OUTLINE = "M8 .6C11.6.6 15 7.2 15 12a7 7 0 0 1-14 0C1 7.2 4.4.6 8 .6z"
_DRAWN = ((9, 1.1), (6, 1.9), (3, 2.9))  # how many spots of which size


@lru_cache(maxsize=4096)
def avatar(name: str) -> Markup:
    """Return the egg of a name as SVG."""
    digest = sha256(name.casefold().encode()).digest()
    ground, spots, pattern, *rest = digest
    at = iter([*rest, *sha256(digest).digest()])
    paths = "".join(
        f'<path d="{"".join(_spot(next(at), pattern) for _each in range(count))}" stroke-width="{size}"/>'
        for count, size in _DRAWN
    )
    return Markup(  # noqa: S704 - our own strings and numbers
        f'<svg class="avatar" viewBox="0 0 16 19.6" aria-hidden="true"><path class="avatar-egg" '
        f'd="{_OUTLINE}" fill="{_GROUNDS[ground % len(_GROUNDS)]}"/>'
        f'<g stroke="{_SPOTS[spots % len(_SPOTS)]}">{paths}</g></svg>'
    )


def _spot(byte: int, pattern: int) -> str:
    """Return a spot: all over the egg, around its middle or at its thick end, some with one opposite."""
    column, row = byte % 16, byte // 16
    y = (3.4 + 0.85 * row, 9 + 0.3 * row, 10.5 + 0.45 * row)[pattern % 3]
    half = 5.4 - 0.09 * (y - 11.6) ** 2  # of the egg's width there
    x = half * (column / 7.5 - 1)
    return f"M{8 + x:.1f} {y:.1f}h0" + (f"M{8 - x:.1f} {y:.1f}h0" if pattern & 4 else "")
