"""Reviewing a game for one: what each move gave away of the best result within reach."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.game import Side
from engine.review import Review, ReviewedMove


@dataclass(frozen=True, slots=True)
class Line:
    """A way to go on from a position, and the result of the game after it; more is better."""

    moves: Sequence[str]
    result: float


def review(moves: Sequence[str], result: float, lines: Mapping[int, Line], first_ply: int = 0) -> Review:
    """Return the review of a game from its moves, its result, and lines that a search found, by ply.

    The game began after `first_ply` moves. A search may miss what was played, and what it found a ply before:
    both count as found.
    """
    best = _best(moves, result, lines)
    reviewed = []
    for ply, move in enumerate(moves[first_ply:], start=first_ply + 1):
        before, after = best[ply - 1], best[ply]
        loss = before.result - after.result
        percent = 100 * loss / max(1.0, abs(before.result))
        preferred = before.moves[0] if before.moves else ""
        reviewed.append(ReviewedMove(ply, Side.SOLO, move, preferred, after.result, loss, percent))
    return Review(best[first_ply].result, reviewed, first_ply)


def _best(moves: Sequence[str], result: float, lines: Mapping[int, Line]) -> list[Line]:
    """Return the best known line from each position of a game, the last one included."""
    best = [Line((), result)]
    for ply in range(len(moves) - 1, -1, -1):
        played = Line((moves[ply], *best[-1].moves), best[-1].result)
        line = lines.get(ply, played)
        best.append(line if line.result > played.result else played)
    best.reverse()
    for ply, move in enumerate(moves):
        line = best[ply]
        if line.result > best[ply + 1].result and line.moves and line.moves[0] == move:
            best[ply + 1] = Line(line.moves[1:], line.result)
    return best
