"""Points and tie-breaks, after the FIDE Handbook C.07 (2024).

A round without a game (a bye, a forfeit, an absence) counts for the tie-breaks like a game against an
opponent with as many points as the player, as in C.07, 16.4.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

from engine.tournaments.pairings import Pairing


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's points and tie-breaks; the more, the better. `games` are those played, `wins` those won."""

    player: int
    points: float
    tie_breaks: tuple[float, ...]
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class _Table:
    """The ended pairings of each player, and everybody's points."""

    rounds: int
    of: Mapping[int, list[Pairing]]
    points: Mapping[int, float] = field(default_factory=dict)

    def against(self, player: int) -> list[tuple[float, float]]:
        """Return the opponent's points and the player's result for each round, those without a game too."""
        own = self.points[player]
        met: list[tuple[float, float]] = []
        for pairing in self.of[player]:
            opponent = pairing.opponent_of(player)
            theirs = self.points[opponent] if opponent is not None and pairing.is_game else own
            met.append((theirs, pairing.points_of(player)))
        missed = max(0, self.rounds - len(met))
        return met + [(own, 0.0)] * missed


def _buchholz(table: _Table, player: int) -> float:
    return sum(points for points, _ in table.against(player))


def _buchholz_cut_1(table: _Table, player: int) -> float:
    met = [points for points, _ in table.against(player)]
    return sum(met) - min(met, default=0.0)


def _sonneborn_berger(table: _Table, player: int) -> float:
    return sum(points * result for points, result in table.against(player))


def _wins(table: _Table, player: int) -> float:
    return float(sum(each.is_won_by(player) for each in table.of[player]))


_Measure = Callable[[_Table, int], float]

SWISS = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "head_to_head", "wins")
"""The tie-breaks of a Swiss tournament, in the order in which they decide."""
ROUND_ROBIN = ("sonneborn_berger", "head_to_head", "wins")
"""The tie-breaks of a round robin."""

_MEASURES: Mapping[str, _Measure] = {
    "buchholz_cut_1": _buchholz_cut_1,
    "buchholz": _buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "wins": _wins,
}


def standings(
    players: Collection[int], pairings: Iterable[Pairing], tie_breaks: Sequence[str], *, rounds: int = 0
) -> list[Standing]:
    """Return the standings after the pairings that have ended, the best first.

    `rounds` is the number of rounds that have ended: a player without a pairing in one of them was absent.
    """
    of: dict[int, list[Pairing]] = {player: [] for player in players}
    for pairing in pairings:
        if pairing.outcome is not None:
            for player in pairing.players:
                of[player].append(pairing)
    points = {player: sum(each.points_of(player) for each in of[player]) for player in players}
    table = _Table(rounds, of, points)
    figures: dict[int, tuple[float, ...]] = {player: (points[player],) for player in players}
    for tie_break in tie_breaks:
        if tie_break == "head_to_head":
            added = _head_to_head(table, figures)
        else:
            added = {player: _MEASURES[tie_break](table, player) for player in players}
        figures = {player: (*figures[player], added[player]) for player in players}
    rows = [
        Standing(
            player,
            figures[player][0],
            figures[player][1:],
            sum(each.is_game for each in of[player]),
            sum(each.is_won_by(player) for each in of[player]),
        )
        for player in players
    ]
    return sorted(rows, key=lambda row: (row.points, row.tie_breaks), reverse=True)


def _head_to_head(table: _Table, figures: Mapping[int, tuple[float, ...]]) -> dict[int, float]:
    """Return everybody's points against those with the same figures, 0 unless all of these have met."""
    points = dict.fromkeys(figures, 0.0)
    for _, group in groupby(sorted(figures, key=figures.__getitem__), key=figures.__getitem__):
        tied = set(group)
        games = {
            pairing
            for player in tied
            for pairing in table.of[player]
            if pairing.is_game and set(pairing.players) <= tied
        }
        met = {frozenset(pairing.players) for pairing in games}
        if len(tied) > 1 and all(frozenset(pair) in met for pair in combinations(tied, 2)):
            for player in tied:
                points[player] = sum(each.points_of(player) for each in games if player in each.players)
    return points
