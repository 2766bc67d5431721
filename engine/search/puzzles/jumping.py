"""Puzzles of Jumping Farther & Farther: the only square that wins a round, or saves the draw.

They are proven to the end of the round. The rounds of a match are puzzles of their own.
"""

import math
from collections.abc import Iterator
from random import Random

from engine.jumping_farther import JUMPING_FARTHER, Position
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.themes import Theme, themes_of
from engine.search.jumping.player import LEVELS, choose
from engine.search.player import Choice, Skill

_FINDING = Skill(10, 300_000, lines=2)
_PROVING = Skill(144, 8_000_000, lines=2)  # searches to the end of the round

_MOST_MOVES = 4  # of the player
_FEWEST_CHOICES = 3

_SIZES = (5, 6, 7, 8)
_PLAYERS = (3, 4, 5, 6, 7)  # levels that make mistakes


def game(seed: int) -> Iterator[Position]:
    """Yield the positions of a round of the computer against itself."""
    generator = Random(seed)  # noqa: S311 - nothing secret
    position = JUMPING_FARTHER.initial({"size": generator.choice(_SIZES), "rounds": 1})
    position = JUMPING_FARTHER.play(position, generator.choice(JUMPING_FARTHER.legal_moves(position)))
    while not position.is_over:
        yield position
        level = LEVELS[generator.choice(_PLAYERS)]
        choice = choose(position, level, generator.getrandbits(32), math.inf)
        position = JUMPING_FARTHER.play(position, choice.move)


def is_likely(position: Position) -> bool:
    """Return whether a short search finds one square that decides the round."""
    if len(position.current.reach()) < _FEWEST_CHOICES:
        return False
    return _decides(choose(_alone(position), _FINDING, 1, math.inf))


def prove(position: Position) -> Puzzle | None:
    """Return the puzzle of a position, or None if no square is the only one that decides the round.

    A single square that any short look ahead finds is no puzzle either.
    """
    position = _alone(position)
    choice = _solved(position)
    if choice is None or not _decides(choice):
        return None
    line, after = [choice.move], JUMPING_FARTHER.play(position, choice.move)
    while len(line) < 2 * _MOST_MOVES - 1 and not after.is_over:
        reply = _solved(after)
        if reply is None:
            break
        after = JUMPING_FARTHER.play(after, reply.move)
        following = None if after.is_over else _solved(after)
        if following is None or not _decides(following):
            break
        line += [reply.move, following.move]
        after = JUMPING_FARTHER.play(after, following.move)
    missed = _missed(position, choice.move)
    if not missed and len(line) == 1:
        return None
    text = JUMPING_FARTHER.format(position)
    result = Theme.KEEP_THE_LEAD if choice.ranking[0].points > 0 else Theme.SAVE_THE_DRAW
    themes = (*themes_of("jumping_farther", text, line), result)
    rating = 1000 + 200 * missed + 100 * (len(line) // 2)
    return Puzzle("jumping_farther", text, tuple(line), themes, rating)


def _alone(position: Position) -> Position:
    """Return the current round as a game of its own."""
    return Position((position.current,), 1)


def _solved(position: Position) -> Choice | None:
    """Return the result of a search to the end of the round, or None if that takes too long."""
    choice = choose(position, _PROVING, 1, math.inf)
    return choice if choice.positions < _PROVING.budget else None


def _decides(choice: Choice) -> bool:
    """Return whether the best square wins and the second does not, or draws and the second loses."""
    if len(choice.ranking) < 2:
        return False
    best, second = (evaluated.points for evaluated in choice.ranking[:2])
    return best > 0 >= second or best == 0 > second


def _missed(position: Position, move: str) -> int:
    """Return how many of several short searches prefer another move."""
    return sum(choose(position, Skill(depth, 300_000), 1, math.inf).move != move for depth in (1, 2, 4, 6))
