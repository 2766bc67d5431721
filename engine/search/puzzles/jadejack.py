"""Puzzles of JadeJack: positions in which one move is better than all others by two points or more."""

import math
from collections.abc import Iterator
from random import Random

from engine.jadejack import JADEJACK, Position
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.themes import Theme, themes_of
from engine.search.jadejack.network import NONE
from engine.search.jadejack.player import LEVELS, SelectiveSkill, choose
from engine.search.player import Choice

# The values of squares alone, by which the shipped puzzles were proven.
_FINDING = SelectiveSkill(4, 200_000, width=8, lines=2, network=NONE)
_PROVING = (
    SelectiveSkill(9, 100_000_000, width=16, lines=2, network=NONE),
    SelectiveSkill(10, 100_000_000, width=10, lines=2, network=NONE),
)
"""A wide search and a deep one, which have to agree. The side that moves last in a search is flattered."""

_LIKELY, _CERTAIN = 2.5, 2.0
"""By how many points the best move has to be better to be examined, and to be a puzzle."""

_OBVIOUS = 7.0  # points: a move that is so much better hardly takes a look ahead
_DECIDED = 25  # points: beyond such a lead nobody cares
_MOST_MOVES = 3  # of the player

_SIZES = (8, 9, 10)
_RANDOM_PLIES = 4  # at the start of a game, so that no two games are the same
_PLAYERS = (3, 4, 5, 6)  # levels that make mistakes


def game(seed: int) -> Iterator[Position]:
    """Yield the positions of a game of the computer against itself."""
    generator = Random(seed)  # noqa: S311 - nothing secret
    position = JADEJACK.initial({"size": generator.choice(_SIZES)})
    for _ in range(_RANDOM_PLIES):
        position = JADEJACK.play(position, generator.choice(JADEJACK.legal_moves(position)[:-1]))
    while JADEJACK.side_to_move(position) is not None:
        yield position
        level = LEVELS[generator.choice(_PLAYERS)]
        choice = choose(position, level, generator.getrandbits(32), math.inf)
        position = JADEJACK.play(position, choice.move)


def is_likely(position: Position) -> bool:
    """Return whether a short search finds one move clearly better than all others."""
    choice = choose(position, _FINDING, 1, math.inf)
    return _gap(choice) >= _LIKELY and abs(choice.ranking[0].points) < _DECIDED


def prove(position: Position) -> Puzzle | None:
    """Return the puzzle of a position, or None if deeper searches find no line that is clearly better."""
    first = _proven(position)
    if first is None:
        return None
    line, after = [first.move], JADEJACK.play(position, first.move)
    while len(line) < 2 * _MOST_MOVES - 1 and JADEJACK.side_to_move(after) is not None:
        reply = choose(after, _PROVING[0], 1, math.inf).move
        after = JADEJACK.play(after, reply)
        following = _proven(after) if JADEJACK.side_to_move(after) is not None else None
        if following is None:
            break
        line += [reply, following.move]
        after = JADEJACK.play(after, following.move)
    text = JADEJACK.format(position)
    themes = themes_of("jadejack", text, line)
    if first.ranking[0].points > 0 >= first.ranking[1].points:
        themes = (*themes, Theme.KEEP_THE_LEAD)
    return Puzzle("jadejack", text, tuple(line), themes, _rating(position, line))


def _proven(position: Position) -> Choice | None:
    """Return the result of the widest search if all searches find the same move clearly better."""
    results = []
    for skill in _PROVING:
        choice = choose(position, skill, 1, math.inf)
        if _gap(choice) < _CERTAIN or abs(choice.ranking[0].points) >= _DECIDED:
            return None
        results.append(choice)
    return results[0] if len({choice.move for choice in results}) == 1 else None


def _gap(choice: Choice) -> float:
    """Return by how many points the best move is better than the second; 0 if there is only one move."""
    if len(choice.ranking) < 2:
        return 0.0
    return choice.ranking[0].points - choice.ranking[1].points


def _rating(position: Position, line: list[str]) -> int:
    """Return the estimated difficulty: how hard the first move is to see, and the length of the line.

    It is harder to see if a shorter look ahead prefers another move, and if other moves are nearly as good.
    """
    missed = sum(
        choose(position, SelectiveSkill(depth, 200_000, width=8, network=NONE), 1, math.inf).move != line[0]
        for depth in (1, 2, 3)
    )
    nearness = max(0.0, _OBVIOUS - _gap(choose(position, _FINDING, 1, math.inf)))
    return 1000 + 200 * missed + round(100 * nearness) + 100 * (len(line) // 2)
