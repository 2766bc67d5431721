"""The themes of puzzles: what a solution does, as far as the rules alone can tell."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from engine import squares
from engine.game import Side
from engine.jadejack import JADEJACK, PASS, Placement, placement_kind, strengths
from engine.puzzles.rules import RULES
from engine.up_and_up import UP_AND_UP


class Theme(StrEnum):
    """A theme. Their names are stable, because programs may ask for puzzles by theme."""

    HIJACK = "hijack"
    REINFORCE = "reinforce"
    BLOCK = "block"
    PASS = "pass"  # noqa: S105 - a move, not a secret
    KEEP_THE_LEAD = "keep_the_lead"
    SAVE_THE_DRAW = "save_the_draw"
    HOLD_BACK = "hold_back"
    SHORT_JUMP = "short_jump"
    OPENING = "opening"
    MIDDLE_GAME = "middle_game"
    ENDGAME = "endgame"
    LONG_LINE = "long_line"
    IN_THREE = "in_three"
    IN_FOUR = "in_four"
    IN_FIVE = "in_five"
    IN_SIX = "in_six"
    FULL_BOARD = "full_board"
    RESET = "reset"


TELLING = frozenset(
    {Theme.HIJACK, Theme.REINFORCE, Theme.BLOCK, Theme.PASS, Theme.HOLD_BACK, Theme.SHORT_JUMP}
)
"""The themes that say what the first move does: it is then one of a few, and often the only one."""

_OPENING, _ENDGAME = 0.15, 0.5
"""The shares of occupied squares of JadeJack before which it is the opening, and from which the endgame."""

_PUSHES = {3: Theme.IN_THREE, 4: Theme.IN_FOUR, 5: Theme.IN_FIVE, 6: Theme.IN_SIX}


def themes_of(game: str, position: str, solution: Sequence[str]) -> tuple[Theme, ...]:
    """Return the themes of a solution that follow from the rules."""
    start = RULES[game].parse(position)
    return tuple(_THEMES[game](start, solution))


def _of_jadejack(position: Any, solution: Sequence[str]) -> Iterator[Theme]:
    move = solution[0]
    if move == PASS:
        yield Theme.PASS
    else:
        stack = position.stacks[squares.locate(move, position.size)]
        match placement_kind(stack, position.side):
            case Placement.HIJACK:
                yield Theme.HIJACK
            case Placement.SELF_STACK:
                yield Theme.REINFORCE
            case Placement.ORDINARY:
                if _blocks(position, move):
                    yield Theme.BLOCK
    occupied = sum(map(bool, position.stacks)) / position.size**2
    yield (
        Theme.OPENING if occupied < _OPENING else Theme.ENDGAME if occupied >= _ENDGAME else Theme.MIDDLE_GAME
    )
    if len(solution) > 1:
        yield Theme.LONG_LINE


def _blocks(position: Any, move: str) -> bool:
    """Return whether a placement takes strength from the opponent on some square."""
    opponent = 1 if position.side is Side.BLACK else 0
    before, after = strengths(position)[opponent], strengths(JADEJACK.play(position, move))[opponent]
    return any(now < then for then, now in zip(before, after, strict=True))


def _of_jumping(position: Any, solution: Sequence[str]) -> Iterator[Theme]:
    round_ = position.current
    fars = {squares.names(round_.size)[square]: far for square, far in round_.reach()}
    scoring = [far for far in fars.values() if round_.scores(far)]
    far = fars[solution[0]]
    if scoring and not round_.scores(far):
        yield Theme.HOLD_BACK
    if round_.scores(far) and far == min(scoring) < max(scoring):
        yield Theme.SHORT_JUMP
    if len(solution) > 1:
        yield Theme.LONG_LINE


def _of_nugget(_position: Any, solution: Sequence[str]) -> Iterator[Theme]:
    yield _PUSHES[len(solution)]


def _of_up_and_up(position: Any, solution: Sequence[str]) -> Iterator[Theme]:
    after = position
    for move in solution:
        after = UP_AND_UP.play(after, move)
    if len(after.cells) == after.size**2:
        yield Theme.FULL_BOARD
    if after.resets > position.resets:
        yield Theme.RESET


_THEMES = {
    "jadejack": _of_jadejack,
    "golden_nugget": _of_nugget,
    "jumping_farther": _of_jumping,
    "up_and_up": _of_up_and_up,
}
