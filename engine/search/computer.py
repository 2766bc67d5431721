"""The computer players of the games for two. Importing this module is slow, so only workers do."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.search import plain
from engine.search.jadejack import player as jadejack
from engine.search.jumping import player as jumping
from engine.search.levels import BEST, LEVELS
from engine.search.player import Choice, EvaluatedMove, Searcher

_SEARCHERS: Mapping[Game[Any], Searcher[Any, Any]] = {
    searcher.rules: searcher for searcher in (jadejack.SEARCHER, jumping.SEARCHER)
}


EXACT_MOVES = 5
"""How many of the best moves `analyse` gives exact values; of the others it knows that they are no better."""


def choose(
    rules: Game[Any], position: Any, *, level: int = BEST, seed: int = 1, seconds: float = 1.0
) -> Choice:
    """Choose a move for the side to move. The choice depends only on the seed, unless the time runs out.

    A game without a search is played by `plain` at every level. Raise ValueError if the game is over.
    """
    searcher = _SEARCHERS.get(rules)
    if searcher is None:
        return Choice((EvaluatedMove(plain.choose(rules, position, seed), 0.0),), 1, 0)
    return searcher.choose(position, searcher.levels[level], seed, seconds)


def analyse(rules: Game[Any], position: Any, *, seconds: float = 1.0) -> Choice:
    """Analyse a position, with exact values for the best EXACT_MOVES.

    Raise ValueError if the game is over.
    """
    searcher = _SEARCHERS.get(rules)
    if searcher is None:
        return choose(rules, position)
    return searcher.choose(position, searcher.analyst, 1, seconds)


def get_ready() -> None:
    """Compile all searches. This takes a minute the first time and a second or two later."""
    for rules in _SEARCHERS:
        choose(rules, rules.initial({}), level=LEVELS[0])
