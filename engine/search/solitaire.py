"""Good ways to go on in the games for one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.game import Game, Side
from engine.jumping_farther import JUMPING_SOLITAIRE
from engine.search import plain, up_and_up
from engine.search.jumping import solitaire as jumping
from engine.solo_review import Line
from engine.up_and_up import UP_AND_UP

_SEARCHES: Mapping[Game[Any], Callable[[Any], Sequence[str]]] = {
    UP_AND_UP: up_and_up.best_line,
    JUMPING_SOLITAIRE: jumping.best_line,
}


def best_line(rules: Game[Any], position: Any) -> Line:
    """Return the best line that a search of some tenths of a second finds, with the score after it.

    In a game without a search, the line is that of `plain`.
    """
    search = _SEARCHES.get(rules)
    moves = plain.best_line(rules, position) if search is None else search(position)
    for move in moves:
        position = rules.play(position, move)
    return Line(moves, rules.score(position)[Side.SOLO])
