"""Where the computer expects territory in JadeJack, and what moves change, in words."""

from collections.abc import Iterable, Iterator, Sequence

from app.core.i18n.text import Text, _
from app.play.games.boards.board import Outlook
from engine import squares
from engine.game import Side
from engine.jadejack import JADEJACK, PASS, Position, sources
from engine.search.player import Choice

_LIKELY = 0.5  # of a point
_MUCH = 0.3

_OTHER = {Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK}


def outlook_of(position: Position, choice: Choice) -> Outlook | None:
    """Return where a choice expects territory, or None if it does not say what squares are worth."""
    if not choice.expected:
        return None
    expected = _territory(position, choice.expected)
    changes = {}
    for evaluated in choice.ranking:
        if evaluated.expected and evaluated.move != PASS:
            after = JADEJACK.play(position, evaluated.move)
            then = _territory(after, evaluated.expected)
            changes[evaluated.move] = tuple(_changes(position, after, evaluated.move, expected, then))
    return Outlook(expected, tuple(_likely(expected, position.size)), changes)


def _territory(position: Position, expected: Sequence[float]) -> list[float]:
    """Return what the empty squares bring: those that help to get others are worth more than their point."""
    pairs = zip(position.stacks, expected, strict=True)
    return [0.0 if stack else max(-1.0, min(points, 1.0)) for stack, points in pairs]


def _likely(expected: Sequence[float], size: int) -> Iterator[Text]:
    black = [cell for cell, points in enumerate(expected) if points >= _LIKELY]
    white = [cell for cell, points in enumerate(expected) if points <= -_LIKELY]
    if black:
        yield _("Black is likely to get %(squares)s.", squares=_named(black, size))
    if white:
        yield _("White is likely to get %(squares)s.", squares=_named(white, size))


def _changes(
    before: Position, after: Position, move: str, expected: Sequence[float], then: Sequence[float]
) -> Iterator[Text]:
    """Yield what a move wins and gives up, and which stacks it blocks where that is the reason."""
    sign = 1 if before.side is Side.BLACK else -1
    gains = [
        0.0 if stack else sign * (late - early)
        for stack, early, late in zip(after.stacks, expected, then, strict=True)
    ]
    won = [cell for cell, gain in enumerate(gains) if gain >= _MUCH]
    lost = [cell for cell, gain in enumerate(gains) if gain <= -_MUCH]
    for cells, side, words in ((won, _OTHER[before.side], _won), (lost, before.side, _lost)):
        # The stacks of a side that reach a square no more, but for one that the move has hijacked.
        hijacked = squares.locate(move, before.size)
        missing = {
            cell: {*sources(before, cell)[side]} - {*sources(after, cell)[side], hijacked} for cell in cells
        }
        blocked = [cell for cell in cells if missing[cell]]
        if others := [cell for cell in cells if not missing[cell]]:
            yield words(_named(others, before.size), move, "")
        if blocked:
            stacks = set[int]().union(*missing.values())
            yield words(_named(blocked, before.size), move, _named(stacks, before.size))


def _won(names: str, move: str, stacks: str) -> Text:
    if not stacks:
        return _("Wins %(squares)s.", squares=names)
    return _("Wins %(squares)s, because %(move)s blocks %(stacks)s.", squares=names, move=move, stacks=stacks)


def _lost(names: str, move: str, stacks: str) -> Text:
    if not stacks:
        return _("Gives up %(squares)s.", squares=names)
    return _(
        "Gives up %(squares)s, because %(move)s blocks %(stacks)s.", squares=names, move=move, stacks=stacks
    )


def _named(cells: Iterable[int], size: int) -> str:
    """Return squares in short, runs by their first and last."""
    runs = squares.spans(cells, size)
    return ", ".join(first if first == last else f"{first}\N{EN DASH}{last}" for first, last in runs)
