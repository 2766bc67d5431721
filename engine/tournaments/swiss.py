"""Swiss tournaments: players of equal points meet, nobody twice.

The aims are those of the FIDE (Dutch) system, FIDE Handbook C.04.1 and C.04.3, in this order: nobody meets
the same opponent twice or has two byes; nobody has a seat three times in a row, or one of them three times
more often; the bye goes to the lowest points; players of equal points meet; everybody has the seat that they
had less often; the upper half of a score group meets the lower one. Instead of the handbook's procedure, the
pairing with the least total cost is taken, so what can be avoided is. More than 64 players have too many
pairs to match, so only the likely ones are: then, too, nobody meets the same opponent twice if that can be
avoided, but another pairing may come a little closer to the other aims.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from engine.tournaments.matching import Cost, cheapest_matching
from engine.tournaments.seats import best_seats

_NOBODY = -1
_BLOCK = 64  # players of whom all pairs are matched; the time for that grows with the cube of their number
_CANDIDATES = 12  # the opponents of each of more players that are looked at first, the cheapest ones
_MOST_CANDIDATES = 48  # that are looked at for the sake of the seats
_UNITS = 2  # points are multiples of a half
_FLOATING = 6  # so many times fewer candidates of other points are looked at

Costs = Mapping[tuple[int, int], Cost]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who is to be paired, with what they had in the rounds before."""

    id: int
    points: float = 0
    rating: float = 0
    opponents: frozenset[int] = frozenset()
    seats: tuple[int, ...] = ()
    had_bye: bool = False


def pair(entrants: Sequence[Entrant]) -> list[tuple[int, int | None]]:
    """Return the pairs of a round, each with the player who moves first at the front; None is a bye.

    The first board is that of the players with the most points. For up to `_BLOCK` players no other pairing
    has a smaller total of `costs`. More are paired in blocks of whole score groups, unless that breaks a rule
    that can be kept.
    """
    ranked = sorted(entrants, key=lambda entrant: (-entrant.points, -entrant.rating, entrant.id))
    pairs: list[tuple[int, int | None]] = []
    start = 0
    for end in _ends_of_blocks(ranked):
        matched, is_clean = _match(ranked[start:end])
        if is_clean:
            pairs += matched
            start = end
    if start < len(ranked):
        pairs = _match(ranked)[0] if start else matched
    return pairs


def _ends_of_blocks(ranked: Sequence[Entrant]) -> list[int]:
    """Return the places after which the standings may be cut, with an even number of players before."""
    ends, start = [], 0
    for end in range(1, len(ranked)):
        is_cut = ranked[end - 1].points != ranked[end].points
        if is_cut and end - start >= _BLOCK and not end % 2:
            ends.append(start := end)
    return [*ends, len(ranked)]


def _match(ranked: Sequence[Entrant]) -> tuple[list[tuple[int, int | None]], bool]:
    """Return the pairs of players in the order of the standings, and whether they break no rule."""
    if len(ranked) < 2:
        return [(entrant.id, None) for entrant in ranked], not any(entrant.had_bye for entrant in ranked)
    if _are_alike(ranked):
        return [_seated(ranked, one, other) for one, other in _halves(len(ranked))], True
    everything = costs(ranked)
    matched = cheapest_matching(everything) if len(ranked) <= _BLOCK else _matched_of_many(ranked, everything)
    in_order = sorted((tuple(sorted(pair, reverse=_NOBODY in pair)) for pair in matched), key=_board)
    is_clean = not any(everything[one, other][:2] != (0, 0) for one, other in in_order)
    return [_seated(ranked, one, other) for one, other in in_order], is_clean


def _matched_of_many(ranked: Sequence[Entrant], everything: Costs) -> list[tuple[int, int]]:
    """Return the cheapest pairs among the candidates, of which more are taken while that may help."""
    cheapest_first = sorted(everything.items(), key=itemgetter(1))
    candidates = _CANDIDATES
    matched = cheapest_matching(_cheapest(cheapest_first, candidates))
    while candidates < _FLOATING * len(ranked) and _may_improve(ranked, everything, matched, candidates):
        candidates *= 2
        matched = cheapest_matching(_cheapest(cheapest_first, candidates))
    return matched


def _are_alike(ranked: Sequence[Entrant]) -> bool:
    """Return whether nothing but their places tells players apart, as in the first round."""
    points = ranked[0].points
    return all(
        entrant.points == points and not (entrant.opponents or entrant.seats or entrant.had_bye)
        for entrant in ranked
    )


def _halves(count: int) -> Iterator[tuple[int, int]]:
    """Yield the cheapest pairs of places of players who are alike: the upper half meets the lower one."""
    half = count // 2
    yield from ((place, place + half) for place in range(half))
    if count % 2:
        yield count - 1, _NOBODY


def _board(pair: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
    return _NOBODY in pair, pair


def costs(ranked: Sequence[Entrant]) -> Costs:
    """Return the costs of all pairs of places in the standings; the place -1 is a bye."""
    sizes = Counter(entrant.points for entrant in ranked)
    costs_of = {
        (one, other): _cost(ranked[one], ranked[other], other - one, sizes)
        for one, other in combinations(range(len(ranked)), 2)
    }
    if len(ranked) % 2:
        lowest = ranked[-1].points
        for place, entrant in enumerate(ranked):
            above = round(_UNITS * (entrant.points - lowest))
            costs_of[place, _NOBODY] = (entrant.had_bye, 0, above, 0, 0, len(ranked) - place)
    return costs_of


def _cost(player: Entrant, opponent: Entrant, gap: int, sizes: Mapping[float, int]) -> Cost:
    broken, strain = best_seats(player.seats, opponent.seats)[1]
    apart = round(_UNITS * (player.points - opponent.points))
    beside = gap if apart else abs(gap - sizes[player.points] // 2)
    return (opponent.id in player.opponents, broken, 0, apart**2, strain, beside)


def _cheapest(cheapest_first: Sequence[tuple[tuple[int, int], Cost]], candidates: int) -> Costs:
    """Return the costs of so many of the cheapest pairs of each player, and of some that may be needed.

    These are pairs with another strain, if more players want one seat than the other, and with players of
    other points, if a score group is odd.
    """
    taken: Counter[tuple[int, int, int]] = Counter()
    chosen: dict[tuple[int, int], Cost] = {}
    for pair, cost in cheapest_first:
        one, other = pair
        _repeated, _broken, _bye, apart, strain, _beside = cost
        most = max(1, candidates // _FLOATING) if apart else candidates
        if taken[one, apart, strain] < most or taken[other, apart, strain] < most:
            chosen[pair] = cost
            taken[one, apart, strain] += 1
            taken[other, apart, strain] += 1
    return chosen


def _may_improve(
    ranked: Sequence[Entrant], everything: Costs, matched: Sequence[tuple[int, int]], candidates: int
) -> bool:
    """Return whether more candidates may avoid what the pairs break."""
    if 2 * len(matched) < len(ranked):
        return True
    is_repeated = any(everything[pair][0] for pair in matched)
    is_broken = any(everything[pair][1] for pair in matched)
    return is_repeated or (is_broken and candidates < _MOST_CANDIDATES)


def _seated(ranked: Sequence[Entrant], one: int, other: int) -> tuple[int, int | None]:
    """Return a pair with the first to move at the front. Equally good seats alternate from board to board."""
    player = ranked[one]
    if other == _NOBODY:
        return player.id, None
    pair = (player, ranked[other]) if one % 2 == 0 else (ranked[other], player)
    seat, _cost = best_seats(pair[0].seats, pair[1].seats)
    return pair[seat].id, pair[1 - seat].id
