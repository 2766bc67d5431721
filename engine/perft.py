"""Perft: counting the move sequences from a position, the classic check of a game's rules."""

from engine.game import Game, PositionT


def perft(game: Game[PositionT], position: PositionT, depth: int) -> int:
    """Give the number of move sequences of `depth` plies, passes included; one if the game is over."""
    if depth < 1:
        return 1
    moves = game.legal_moves(position)
    if depth == 1:
        return len(moves) or 1
    return sum(perft(game, game.play(position, move), depth - 1) for move in moves) if moves else 1


def split(game: Game[PositionT], position: PositionT, depth: int) -> dict[str, int]:
    """Give the perft behind each legal move, to find the move where two engines part. Empty once it is over.

    The counts add up to `perft` of the same depth, which is at least 1 ply.
    """
    return {move: perft(game, game.play(position, move), depth - 1) for move in game.legal_moves(position)}
