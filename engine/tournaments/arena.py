"""Arenas: players who wait are paired, and wins in a row count double.

The rules are those of Lichess' arenas (https://lichess.org/tournament/help): 2 points for a win, 1 for a
draw, and twice as many after two wins in a row until a game is not won.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from engine.tournaments.matching import Cost, cheapest_matching
from engine.tournaments.seats import best_seats

STREAK = 2
"""The wins in a row after which points count double."""

PATIENCE = 20
"""The waves that two players wait for somebody else before they meet a second time in a row."""

_BLOCK = 32  # players that are matched at once; the time for matching grows with the cube of it
_NOBODY = -1


@dataclass(frozen=True, slots=True)
class Score:
    """What a player has reached. `streak` counts the last wins in a row."""

    points: int = 0
    streak: int = 0
    wins: int = 0
    games: int = 0

    @property
    def is_on_fire(self) -> bool:
        """Return whether the next game counts double."""
        return self.streak >= STREAK

    def after(self, points: float) -> "Score":
        """Return the score after a game with 1, ½ or 0 points."""
        return replace(
            self,
            points=self.points + round(2 * points) * (2 if self.is_on_fire else 1),
            streak=self.streak + 1 if points == 1 else 0,
            wins=self.wins + (points == 1),
            games=self.games + 1,
        )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who waits for a game, for how many waves already, and against whom the last one was."""

    id: int
    points: int
    seats: tuple[int, ...] = ()
    last_opponent: int | None = None
    waves: int = 0


def pair(waiting: Sequence[Waiting], *, others_play: bool) -> list[tuple[int, int]]:
    """Return the pairs of a wave, each with the player who moves first at the front.

    Players of nearly equal points meet. Two whose last games were against each other do not meet again,
    unless no other player can come (`others_play` is False) or both have waited for `PATIENCE` waves; if one
    of them has met somebody else since, they only avoid each other. If the number of players is odd, one of
    those who have waited the least is left out, unless fewer than 64 wait and somebody would meet the last
    opponent again for it.
    """
    ranked = sorted(waiting, key=lambda player: (-player.points, player.id))
    if len(ranked) >= 2 * _BLOCK and len(ranked) % 2:
        ranked.remove(min(reversed(ranked), key=lambda player: player.waves))
    pairs: list[tuple[int, int]] = []
    while ranked:
        size = _BLOCK if len(ranked) >= 2 * _BLOCK else len(ranked)
        pairs += _pair_block(ranked[:size], others_play=others_play)
        ranked = ranked[size:]
    return pairs


def _pair_block(players: Sequence[Waiting], *, others_play: bool) -> list[tuple[int, int]]:
    by_id = {player.id: player for player in players}
    costs: dict[tuple[int, int], Cost] = {}
    for one, other in combinations(players, 2):
        repeats = (one.last_opponent == other.id) + (other.last_opponent == one.id)
        if repeats == 2 and others_play and min(one.waves, other.waves) < PATIENCE:
            continue
        broken, strain = best_seats(one.seats, other.seats)[1]
        costs[one.id, other.id] = (repeats, 0, broken, (one.points - other.points) ** 2, strain)
    if len(players) % 2:
        costs |= {(player.id, _NOBODY): (0, player.waves, 0, 0, 0) for player in players}
    pairs = [pair for pair in cheapest_matching(costs) if _NOBODY not in pair]
    return [
        (one, other) if best_seats(by_id[one].seats, by_id[other].seats)[0] == 0 else (other, one)
        for one, other in pairs
    ]
