"""Pictures that move: each part of an SVG document is seen from one step to another, over and over."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_SECONDS = 1.2  # that each step is shown
_STEPS = 20  # that are shown: pages with films are light
_PAUSE = 4  # steps as long as which the last one is shown


class Part(NamedTuple):
    """A part of the picture: the first step that shows it, and the first that does not, None if it stays."""

    drawn: str
    start: int
    end: int | None = None


def film(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the elements of a film of the last steps, which begins in its middle.

    It is the last step where motion is not wanted.
    """
    total = max(part.start for part in parts) + 1
    steps = min(total, _STEPS)
    skipped = total - steps
    length = steps + _PAUSE
    names: dict[tuple[int, int | None], str] = {}
    for drawn, first, last in parts:
        if last is not None and last <= skipped:
            continue
        start, end = max(0, first - skipped), None if last is None else last - skipped
        name = names.setdefault((start, end), f"s{len(names)}")
        past = "" if end is None else " past"
        yield f'<g class="{name}{past}">{drawn}</g>'
    rules = (
        _shown_between(name, start / length, (end or length) / length)
        for (start, end), name in names.items()
        if (start, end) != (0, None)
    )
    timing = f"{length * _SECONDS:g}s step-end {-steps / 2 * _SECONDS:g}s infinite"
    yield (
        "<style>.past{opacity:0}@media (prefers-reduced-motion:no-preference){"
        f"g{{animation:{timing}}}{''.join(rules)}}}</style>"
    )


def _shown_between(name: str, start: float, end: float) -> str:
    """Return the rules by which elements are visible for a part of the film, 0 to 1."""
    frames = "0%{opacity:0}" if start else ""
    frames += f"{start:.1%}{{opacity:1}}"
    if end < 1:
        frames += f"{end:.1%}{{opacity:0}}"
    return f".{name}{{animation-name:{name}}}@keyframes {name}{{{frames}}}"
