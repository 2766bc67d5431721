"""The computer players of the games for two. Importing this module is slow, so only workers do."""

from collections.abc import Mapping
from dataclasses import replace
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

_LINE = 3  # plies that are expected after each of the best moves
_LINE_LEVEL = 7
_LINE_SECONDS = 0.05  # for each of these plies


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


def with_lines(rules: Game[Any], position: Any, choice: Choice) -> tuple[EvaluatedMove, ...]:
    """Return the best EXACT_MOVES of a choice, each with the moves that are expected after it."""
    best = choice.ranking[:EXACT_MOVES]
    return tuple(replace(move, line=_line(rules, rules.play(position, move.move))) for move in best)


def _line(rules: Game[Any], position: Any) -> tuple[str, ...]:
    line: list[str] = []
    while len(line) < _LINE and rules.side_to_move(position) is not None:
        line.append(choose(rules, position, level=_LINE_LEVEL, seconds=_LINE_SECONDS).move)
        position = rules.play(position, line[-1])
    return tuple(line)


def get_ready() -> None:
    """Compile the searches. This takes some seconds the first time and one or two later."""
    for rules in _SEARCHERS:
        choose(rules, rules.initial({}), level=LEVELS[0])
