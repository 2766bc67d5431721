"""Knock-outs: the loser of a match is out."""

from collections.abc import Sequence

from engine.tournaments.pairings import Pairing, PairingOutcome

BEST_OF = (1, 3, 5, 7)
"""How many games a match may have."""


def first_round(seeds: Sequence[int]) -> list[tuple[int, int | None]]:
    """Return the matches of the first round, from players with the strongest first; none for fewer than two.

    They are in the order of the bracket: the winners of neighbours meet, and the two best seeds meet in the
    final at the earliest. The best seeds are free (None) if the number of players is no power of two.
    """
    if len(seeds) < 2:
        return []
    places = [0]
    while len(places) < len(seeds):
        places = [place for seed in places for place in (seed, 2 * len(places) - 1 - seed)]
    return [
        (seeds[one], seeds[other] if other < len(seeds) else None)
        for one, other in zip(places[::2], places[1::2], strict=True)
    ]


def next_round(winners: Sequence[int]) -> list[tuple[int, int | None]]:
    """Return the matches of the next round, from the winners in the order of the bracket.

    There are none after the final, whose winner is the only one. Raise ValueError for another odd number.
    """
    return list(zip(winners[::2], winners[1::2], strict=len(winners) > 1))


def winner(seed: int, other: int, games: Sequence[Pairing], best_of: int) -> int | None:
    """Return who has won a match, or None if another game is to be played. `seed` is the better seed.

    A player who cannot be caught up with has won. If the points are equal after all games, up to two more
    are played, each of which decides; after those the better seed has won.
    """
    own = sum(game.points_of(seed) for game in games)
    others = sum(game.points_of(other) for game in games)
    left = max(0, best_of - len(games))
    if abs(own - others) > left:
        return seed if own > others else other
    is_void = len(games) >= best_of and games[-1].outcome is PairingOutcome.NEITHER
    return seed if len(games) >= best_of + 2 or is_void else None


def seated(seed: int, other: int, leg: int) -> tuple[int, int]:
    """Return the players of a game of a match, counted from 1, the one who moves first at the front.

    The weaker seed moves first in the first game, and then both in turn.
    """
    return (other, seed) if leg % 2 else (seed, other)
