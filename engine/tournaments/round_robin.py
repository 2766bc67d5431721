"""Round robins: everybody meets everybody, after the Berger tables of the FIDE Handbook C.05, Annex 1."""

from collections.abc import Sequence

MOST = 16
"""The most players in a group."""


def schedule(players: Sequence[int], *, is_double: bool = False) -> list[list[tuple[int, int]]]:
    """Return the pairs of each round, each with the player who moves first at the front.

    Fewer than two players have no rounds. With an odd number of them, one is free in each round. In a double
    round robin, everybody meets everybody once more with the sides exchanged.
    """
    if len(players) < 2:
        return []
    size = len(players) + len(players) % 2
    rounds = [
        [
            (players[one], players[other])
            for one, other in _round(number, size)
            if max(one, other) < len(players)
        ]
        for number in range(size - 1)
    ]
    if is_double:
        rounds += [[(other, one) for one, other in pairs] for pairs in rounds]
    return rounds


def _round(number: int, size: int) -> list[tuple[int, int]]:
    """Return the pairs of a round, counted from 0, for an even number of places."""
    last, turning = size - 1, number * (size // 2) % (size - 1)
    first = (turning, last) if number % 2 == 0 else (last, turning)
    others = [((turning + step) % last, (turning - step) % last) for step in range(1, size // 2)]
    return [first, *others]


def groups(seeds: Sequence[int], count: int) -> list[list[int]]:
    """Return so many groups of about equal size and strength, from players with the strongest first.

    They are dealt to and fro, so that with three groups the first one gets the seeds 1, 6, 7, 12, …. Raise
    ValueError unless there is a player for each group, and at least one group.
    """
    if not 1 <= count <= len(seeds):
        raise ValueError(f"{len(seeds)} players cannot be dealt to {count} groups.")
    dealt: list[list[int]] = [[] for _ in range(count)]
    for place, player in enumerate(seeds):
        turn, column = divmod(place, count)
        dealt[column if turn % 2 == 0 else count - 1 - column].append(player)
    return dealt
