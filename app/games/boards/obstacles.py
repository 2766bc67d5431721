"""Why a square is closed to the side to move: the engine's reason in words, and the squares that cause it."""

from collections.abc import Iterable, Sequence

from app.games.views import Obstacle
from engine import squares
from engine.game import IllegalMove, Side
from engine.jadejack import Position, sources

_OPPONENT = {Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK}


def in_jadejack(position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
    """Return why no disk may be placed on a square, in words for the side to move or for everyone else."""
    side, other = position.side, _OPPONENT[position.side]
    match error.reason:
        case "too_weak" | "too_weak_to_hijack":
            reaching = sources(position, squares.locate(square, position.size))
            tell = _too_weak_for_you if is_yours else _too_weak
            text = tell(square, side.capitalize(), other.capitalize(), error)
            names = squares.names(position.size)
            return Obstacle(square, text, _named(reaching[side], names), _named(reaching[other], names))
        case "already_reinforced" if is_yours:
            text = f"{square}: two of your disks are on top already, so this stack takes no more of yours."
        case "already_reinforced":
            text = f"{square}: two {side} disks are on top already, so this stack takes no more of them."
        case "centre_first":
            text = f"{square}: the first disk may not go on the centre of the board."
        case _:
            text = str(error)
    return Obstacle(square, text)


def in_numbers(
    cells: Sequence[int], size: int, square: str, error: IllegalMove, *, away: int | None = None
) -> Obstacle:
    """Return why the next number may not go on a square; `away` is the distance that it must keep, if any."""
    if not cells:
        return Obstacle(square, str(error))
    names, number = squares.names(size), len(cells)
    last = names[cells[-1]]
    match error.reason:
        case "occupied":
            text = f"{square}: {error.figures['number']} is here already."
        case "not_on_a_line":
            text = f"{square} is not in line with {last}, where {number} is."
        case "not_k_away" if away == 1:
            text = f"{square} is not next to {last}, where {number} is: up, down, left or right."
        case "not_k_away":
            text = f"{square} is not {away} squares up, down, left or right of {last}, where {number} is."
        case "reset_not_allowed":
            text = f"{square}: k falls back to 1 only when no free square is {away} away from {last}."
        case _:
            text = str(error)
    return Obstacle(square, text, own=(last,))


def _too_weak_for_you(square: str, _side: str, other: str, error: IllegalMove) -> str:
    own, opposing, needed = (error.figures[name] for name in ("own", "opposing", "needed"))
    if error.reason == "too_weak":
        return f"{square}: your strength {own}, {other}'s {opposing}: you need at least {needed}."
    return (
        f"{square}: your strength {own}, {other}'s {opposing}: you need at least {needed} to hijack this "
        f"stack of height {needed - opposing}."
    )


def _too_weak(square: str, side: str, other: str, error: IllegalMove) -> str:
    own, opposing, needed = (error.figures[name] for name in ("own", "opposing", "needed"))
    if error.reason == "too_weak":
        return f"{square}: {side}'s strength {own}, {other}'s {opposing}: {side} needs at least {needed}."
    return (
        f"{square}: {side}'s strength {own}, {other}'s {opposing}: {side} needs at least {needed} to hijack "
        f"this stack of height {needed - opposing}."
    )


def _named(cells: Iterable[int], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names[cell] for cell in cells)
