"""The computer players of the games for two. Importing this module is slow, so only workers do."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.game import Game
from engine.review import Evaluation
from engine.search import plain
from engine.search.jadejack import player as jadejack
from engine.search.jumping import player as jumping
from engine.search.levels import BEST
from engine.search.player import Choice, EvaluatedMove, Searcher

_SEARCHERS: Mapping[Game[Any], Searcher[Any, Any]] = {
    searcher.rules: searcher for searcher in (jadejack.SEARCHER, jumping.SEARCHER)
}

EXACT_MOVES = 5
"""How many of the best moves `analyse` gives exact values; of the others it knows that they are no better."""

_LINE = 3  # plies that are expected after each of the best moves
_LINE_DEPTH = 3
_LINE_SECONDS = 0.05  # for each of these plies


def searcher(rules: Game[Any]) -> Searcher[Any, Any]:
    """Return the search of a game. Raise KeyError if it has none."""
    return _SEARCHERS[rules]


def choose(
    rules: Game[Any], position: Any, *, level: int = BEST, seed: int = 1, seconds: float = math.inf
) -> Choice:
    """Choose a move for the side to move, within the seconds of the level and these.

    The choice depends only on the position and the seed, which is that of a game, unless the time runs out.
    A game without a search is played by `plain` at every level. Raise ValueError if the game is over.
    """
    if rules not in _SEARCHERS:
        return Choice((EvaluatedMove(plain.choose(rules, position, seed), 0.0),), 1, 0)
    search = searcher(rules)
    skill = search.levels[level]
    return search.choose(position, skill, seed, min(skill.seconds, seconds))


def is_lost(rules: Game[Any], position: Any) -> bool:
    """Return whether the side to move is so far behind that a person would resign."""
    return rules in _SEARCHERS and searcher(rules).is_lost(position)


def analyse(rules: Game[Any], position: Any, *, seconds: float = 1.0) -> Choice:
    """Analyse a position, with exact values for the best EXACT_MOVES.

    Raise ValueError if the game is over.
    """
    searcher = _SEARCHERS.get(rules)
    if searcher is None:
        return choose(rules, position)
    return searcher.choose(position, searcher.analyst, 1, seconds)


def evaluate(rules: Game[Any], position: Any, played: str | None, *, seconds: float = 1.0) -> Evaluation:
    """Return what a review needs to know about a position, and about the move that was played in it, if any.

    Raise ValueError if the game is over.
    """
    exact = analyse(rules, position, seconds=seconds).ranking[:EXACT_MOVES]
    best = exact[0]
    points = next((move.points for move in exact if move.move == played), None)
    if played is not None and points is None:
        return Evaluation(best.move, best.points, exact[-1].points, is_exact=False)
    return Evaluation(best.move, best.points, points, is_exact=played is not None)


def explained(rules: Game[Any], position: Any, choice: Choice) -> Choice:
    """Return the best EXACT_MOVES of a choice, with the moves and the territory that are expected."""

    def explain(move: EvaluatedMove) -> EvaluatedMove:
        after = rules.play(position, move.move)
        return replace(move, line=_line(rules, after), expected=_expected(rules, after))

    ranking = tuple(map(explain, choice.ranking[:EXACT_MOVES]))
    return replace(choice, ranking=ranking, expected=_expected(rules, position))


def _expected(rules: Game[Any], position: Any) -> tuple[float, ...]:
    searcher = _SEARCHERS.get(rules)
    return () if searcher is None or searcher.expected is None else searcher.expected(position)


def weigh(
    rules: Game[Any], position: Any, move: str, *, best: str | None = None, seconds: float = 0.12
) -> tuple[EvaluatedMove, EvaluatedMove]:
    """Return the best move in a position and another one, each with the reply that is expected to it.

    The best one is searched for unless it is known. The positions after both are searched alike, for at most
    some seconds each: to look further ahead after one of them would flatter it. Raise IllegalMove.
    """
    of_move = _weighed(rules, position, move, seconds)
    best = best or choose(rules, position, seconds=seconds).move
    return of_move if best == move else _weighed(rules, position, best, seconds), of_move


def _weighed(rules: Game[Any], position: Any, move: str, seconds: float) -> EvaluatedMove:
    mover, after = rules.side_to_move(position), rules.play(position, move)
    if rules.side_to_move(after) is None:
        score = rules.score(after)
        return EvaluatedMove(move, sum(each if side == mover else -each for side, each in score.items()))
    reply = choose(rules, after, seconds=seconds).ranking[0]
    is_same_side = rules.side_to_move(after) == mover
    return EvaluatedMove(move, reply.points if is_same_side else -reply.points, (reply.move,))


def _line(rules: Game[Any], position: Any) -> tuple[str, ...]:
    if rules not in _SEARCHERS:
        return ()
    line: list[str] = []
    search = searcher(rules)
    skill = replace(search.analyst, depth=_LINE_DEPTH, lines=1)
    while len(line) < _LINE and rules.side_to_move(position) is not None:
        line.append(search.choose(position, skill, 1, _LINE_SECONDS).move)
        position = rules.play(position, line[-1])
    return tuple(line)


def get_ready(level: int) -> None:
    """Compile what the searches need at a level and below it, at most half a minute the first time.

    Levels that look one ply ahead need a few seconds.
    """
    for rules in _SEARCHERS:
        choose(rules, rules.initial({}), level=level, seconds=0.0)
