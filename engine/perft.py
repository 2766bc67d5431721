"""Perft: counting the move sequences from a position, the standard check of a move generator."""

from engine.game import Game, PositionT


def perft(game: Game[PositionT], position: PositionT, depth: int) -> int:
    """Return the number of move sequences of `depth` plies, passes included.

    It is 1 at depth 0 and if the game is over.
    """
    if depth < 1:
        return 1
    moves = game.legal_moves(position)
    if depth == 1:
        return len(moves) or 1
    return sum(perft(game, game.play(position, move), depth - 1) for move in moves) if moves else 1


def split(game: Game[PositionT], position: PositionT, depth: int) -> dict[str, int]:
    """Return the perft after each legal move, to find the move on which two implementations disagree.

    `depth` is at least 1. The counts add up to `perft` of that depth. There are none if the game is over.
    """
    return {move: perft(game, game.play(position, move), depth - 1) for move in game.legal_moves(position)}
