"""A player that needs only the rules: it takes the best score after its move."""

from random import Random
from typing import Any

from engine.game import Game, Side


def choose(rules: Game[Any], position: Any, seed: int = 1) -> str:
    """Choose the move after which the side to move leads by most, at random among equals.

    Raise ValueError if the game is over.
    """
    side = rules.side_to_move(position)
    if side is None:
        raise ValueError("The game is over: there is nothing to choose.")
    generator = Random(f"{seed} {rules.format(position)}")  # noqa: S311 - nothing secret
    moves = rules.legal_moves(position)
    return max(moves, key=lambda move: (lead(rules, rules.play(position, move), side), generator.random()))


def best_line(rules: Game[Any], position: Any) -> list[str]:
    """Return the moves of this player from a position to the end of a game for one."""
    moves: list[str] = []
    while rules.side_to_move(position) is not None:
        moves.append(choose(rules, position))
        position = rules.play(position, moves[-1])
    return moves


def lead(rules: Game[Any], position: Any, side: Side) -> float:
    """Return the points by which a side leads its best opponent; in a game for one, its points."""
    score = rules.score(position)
    return score[side] - max((score[other] for other in rules.sides if other != side), default=0)
