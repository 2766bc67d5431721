"""A game of JadeJack as one animated SVG document, which browsers play without scripts."""

from itertools import pairwise

from app.play.games.boards.jadejack_picture import stack_picture
from app.play.games.boards.picture_frame import framed_picture, middle_of
from engine.jadejack import JADEJACK
from engine.record import GameRecord

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
