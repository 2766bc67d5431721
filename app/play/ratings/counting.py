"""Which games count for whom: pure values, for new games and for recomputing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.play.ratings.replaying import RatedGame, Waiting
from app.play.ratings.settling import PlayersRating

COUNTED_OF_PAIR = 2
"""The games against one opponent that count for a provisional rating, whatever else it rests on."""

SHARE_OF_PAIR = 0.25
"""The share of the counted games up to which further games against one opponent count."""

MOST_WAITING = 50
"""The most games of a player, the latest ones, that wait for their opponents to be proven."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a rating rests on: the counted games by opponent, and those that wait, the oldest first.

    Of a settled rating only the games against the present opponent need to be known, and none that wait.
    """

    rating: PlayersRating
    counted: Mapping[int, int]
    waiting: Sequence[Waiting] = ()


def with_what_counts(
    game: RatedGame, bases: tuple[Basis, Basis], is_proven: Callable[[int], bool]
) -> RatedGame:
    """Return a game with what counts for its players as it ends.

    A game counts against a proven opponent, otherwise it waits until the opponent is one. A provisional
    rating rests on no opponent too much, or an account could prove others by itself.
    """
    (first, first_waited), (second, second_waited) = (
        _what_counts(basis, game.result_of(seat), is_proven) for seat, basis in enumerate(bases)
    )
    return replace(game, counted=(first, second), waited=(first_waited, second_waited))


def _what_counts(
    basis: Basis, result: Waiting, is_proven: Callable[[int], bool]
) -> tuple[bool, tuple[Waiting, ...]]:
    """Return whether a result counts, and the earlier ones that do so from now on."""
    if not basis.rating.is_provisional:
        return is_proven(result.opponent), ()
    counted = Counter(basis.counted)
    taken = []
    for each in (*basis.waiting, result):
        most = max(COUNTED_OF_PAIR, SHARE_OF_PAIR * counted.total())
        if counted[each.opponent] < most and is_proven(each.opponent):
            counted[each.opponent] += 1
            taken.append(each)
    counts = result in taken
    return counts, tuple(taken[:-1] if counts else taken)
