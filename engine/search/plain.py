"""Players that need nothing but the rules: they take the best score after their move, or after a reply."""

from random import Random
from typing import Any

from engine.game import Game, Side


def choose(rules: Game[Any], position: Any, seed: int = 1) -> str:
    """Choose the move after which the side to move leads by most, chance deciding between equals.

    Raises ValueError when the game is over.
    """
    side = rules.side_to_move(position)
    if side is None:
        raise ValueError("The game is over: there is nothing to choose.")
    generator = Random(seed)  # noqa: S311 - nothing secret
    moves = rules.legal_moves(position)
    return max(moves, key=lambda move: (_lead(rules, rules.play(position, move), side), generator.random()))


def choose_two_plies(rules: Game[Any], position: Any, seed: int = 1) -> str:
    """Choose the move after whose best reply the side to move leads by most. Raises ValueError."""
    side = rules.side_to_move(position)
    if side is None:
        raise ValueError("The game is over: there is nothing to choose.")
    generator = Random(seed)  # noqa: S311 - nothing secret

    def worst(move: str) -> float:
        after = rules.play(position, move)
        replies = rules.legal_moves(after)
        if not replies:
            return _lead(rules, after, side)
        return min(_lead(rules, rules.play(after, reply), side) for reply in replies)

    return max(rules.legal_moves(position), key=lambda move: (worst(move), generator.random()))


def _lead(rules: Game[Any], position: Any, side: Side) -> float:
    score = rules.score(position)
    return score[side] - max(score[other] for other in rules.sides if other != side)
