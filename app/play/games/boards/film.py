"""Pictures that move: each part of an SVG document is seen from one step to another, over and over."""

from collections.abc import Sequence
from typing import NamedTuple

SECONDS = 1.2
"""How long each step is shown."""
_STEPS = 20  # that are shown of samples: pages with films are light
_ROOM = 80_000  # bytes, so that all of a page that shows a long film is less than 100 KB
_PAUSE = 4  # steps as long as which the last one is shown


class Part(NamedTuple):
    """A part of the picture: the first step that shows it, and the first that does not, None if it stays."""

    drawn: str
    start: int
    end: int | None = None


class Film(NamedTuple):
    """The elements of a film, and the numbers of the first and the last step that it shows."""

    drawn: str
    first: int
    last: int


def longest_film(parts: Sequence[Part]) -> Film:
    """Return the longest film of the last steps that fits into 80,000 bytes."""
    steps = max(part.start for part in parts) + 1
    while len((made := film(parts, steps)).drawn) > _ROOM and steps > 1:
        steps = min(steps - 1, steps * _ROOM // len(made.drawn))
    return made


def film(parts: Sequence[Part], steps: int = _STEPS) -> Film:
    """Return a film of the last steps, which begins in its middle.

    It stands still at the last step where motion is not wanted.
    """
    total = max(part.start for part in parts) + 1
    steps = max(1, min(total, steps))
    skipped = total - steps
    length = steps + _PAUSE
    drawings = []
    names: dict[tuple[int, int | None], str] = {}
    for drawn, first, last in parts:
        if last is not None and last <= skipped:
            continue
        start, end = max(0, first - skipped), None if last is None else last - skipped
        name = names.setdefault((start, end), f"s{len(names)}")
        past = "" if end is None else " past"
        drawings.append(f'<g class="{name}{past}">{drawn}</g>')
    rules = (
        _shown_between(name, start / length, (end or length) / length)
        for (start, end), name in names.items()
        if (start, end) != (0, None)
    )
    timing = f"{length * SECONDS:g}s step-end {-steps / 2 * SECONDS:g}s infinite"
    still = f"animation-play-state:paused;animation-delay:{(0.5 - steps) * SECONDS:g}s"
    drawings.append(
        f"<style>.past{{opacity:0}}g{{animation:{timing}}}{''.join(rules)}"
        f"@media (prefers-reduced-motion:reduce){{g{{{still}}}}}</style>"
    )
    return Film("".join(drawings), skipped, total - 1)


def _shown_between(name: str, start: float, end: float) -> str:
    """Return the rules by which elements are visible for a part of the film, 0 to 1."""
    frames = "0%{opacity:0}" if start else ""
    frames += f"{start:.1%}{{opacity:1}}"
    if end < 1:
        frames += f"{end:.1%}{{opacity:0}}"
    return f".{name}{{animation-name:{name}}}@keyframes {name}{{{frames}}}"
