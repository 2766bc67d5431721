"""How rated games change ratings, and which count for whom: pure values, for new and for recomputed games."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.glicko2 import PERIODS_PER_DAY, PROVISIONAL_ABOVE, Rating, rate

RATED_A_DAY = 10
"""The most games between the same two players that are rated within 24 hours."""

OPPONENTS_TO_SETTLE = 5
"""The number of different proven opponents from which on a rating can be proven and settled."""

MANY_GAMES = 30
ALLOWANCE, ALLOWANCE_A_GAME = 40.0, 2.0
"""After MANY_GAMES a rating is ranked with so much more deviation, which falls to 0 by so much a game."""

PROVEN_UP_TO = 120.0
"""The largest deviation of a proven rating; one is proven a little before it is settled."""

NEWCOMER_DEVIATION = 250.0
NEWCOMER_RANGE = (1300.0, 1700.0)
"""What games that do not count can make of a rating: this deviation at least, within this range."""

_SECONDS_A_DAY = 86_400
_INITIAL = Rating()
COUNTED_OF_PAIR = 2
"""The games against one opponent that count for a provisional rating, whatever else it rests on."""

SHARE_OF_PAIR = 0.25
"""The share of the counted games up to which further games against one opponent count."""

MOST_WAITING = 50
"""The most games of a player, the latest ones, that wait for their opponents to be proven."""


@dataclass(frozen=True, slots=True)
class PlayersRating(Rating):
    """A rating after so many rated games, reached against so many different proven opponents."""

    opponents: int = 0
    games: int = 0

    @property
    def is_settled(self) -> bool:
        """Return whether only games against proven players change the rating from now on."""
        return self.deviation <= PROVISIONAL_ABOVE and self.opponents >= OPPONENTS_TO_SETTLE

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is too uncertain, or rests on too few opponents, to be ranked."""
        more = self.games - MANY_GAMES
        allowance = max(0.0, ALLOWANCE - ALLOWANCE_A_GAME * more) if more >= 0 else 0.0
        return self.deviation > PROVISIONAL_ABOVE + allowance or self.opponents < OPPONENTS_TO_SETTLE

    @property
    def is_proven(self) -> bool:
        """Return whether games against the player count for the opponent."""
        return self.deviation <= PROVEN_UP_TO and self.opponents >= OPPONENTS_TO_SETTLE


def after_uncounted(before: Rating, after: Rating) -> Rating:
    """Return a rating after a game that does not count.

    `before` is as of the end of the game, `after` what the game would make of it if it counted. One person
    may have the opponent's account, and those of all the opponent's opponents, so any number of such games
    says little more than the first one.
    """
    if before.deviation < NEWCOMER_DEVIATION:
        return before
    lowest, highest = NEWCOMER_RANGE
    rating = min(max(after.rating, min(lowest, before.rating)), max(highest, before.rating))
    return Rating(rating, max(after.deviation, NEWCOMER_DEVIATION), before.volatility)


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and the moment of the player's last rated game; None before the first one."""

    rating: Rating = _INITIAL
    at: datetime | None = None

    def as_of(self, at: datetime) -> Rating:
        """Return the rating at a moment."""
        return self.rating.after(self.periods_until(at))

    def periods_until(self, at: datetime) -> float:
        """Return the rating periods since the last rated game, at a moment."""
        if self.at is None:
            return 0.0
        return max(0.0, (at - self.at).total_seconds()) / _SECONDS_A_DAY * PERIODS_PER_DAY


@dataclass(frozen=True, slots=True)
class CountedRating:
    """A rating after so many rated games, reached against so many different proven opponents."""

    rated: Rated
    opponents: int
    games: int

    def as_of(self, at: datetime) -> PlayersRating:
        """Return the rating at a moment."""
        now = self.rated.as_of(at)
        return PlayersRating(now.rating, now.deviation, now.volatility, self.opponents, self.games)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player's result that waits for its opponent to be proven; the points are 1, 0.5 or 0."""

    game_id: str
    opponent: int
    points: float


def points_of(seat: int, winner: int | None) -> float:
    """Return the points of a seat: 1, 0.5 or 0. `winner` is the winning seat, None for a draw."""
    return 0.5 if winner is None else float(winner == seat)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game that ended at a moment; `winner` is an index of the players, None for a draw.

    `counted` says for which of the players it counts as it ends, `waited` which of their earlier results
    count from then on (see `app.play.ratings.counting`).
    """

    id: str
    players: tuple[int, int]
    winner: int | None
    at: datetime
    counted: tuple[bool, bool] = (True, True)
    waited: tuple[tuple[Waiting, ...], tuple[Waiting, ...]] = ((), ())

    def result_of(self, seat: int) -> Waiting:
        """Return the result of a player, given as an index."""
        return Waiting(self.id, self.players[1 - seat], points_of(seat, self.winner))

    def counting(self, seat: int) -> list[Waiting]:
        """Return the results that count for a player as the game ends."""
        return [*self.waited[seat], *([self.result_of(seat)] if self.counted[seat] else [])]

    def concerned(self) -> set[int]:
        """Return all players on whose ratings the changes depend."""
        return {*self.players, *(each.opponent for waited in self.waited for each in waited)}


@dataclass(frozen=True, slots=True)
class ChangedRating:
    """What a game made of a player's rating."""

    game_id: str
    account_id: int
    before: Rating
    after: Rating

    @property
    def points(self) -> float:
        """Return the difference that the game made."""
        return self.after.rating - self.before.rating


def changes(game: RatedGame, ratings: Mapping[int, Rated]) -> tuple[ChangedRating, ChangedRating]:
    """Return what a game makes of its players' ratings; a player who has none yet has the initial one."""

    def now(player: int) -> Rating:
        return ratings.get(player, Rated()).as_of(game.at)

    def change(seat: int) -> ChangedRating:
        player = game.players[seat]
        own = ratings.get(player, Rated())
        counting = game.counting(seat)
        results = [(now(each.opponent), each.points) for each in counting or [game.result_of(seat)]]
        after = rate(own.rating, results, periods=own.periods_until(game.at))
        if not counting:
            after = after_uncounted(now(player), after)
        return ChangedRating(game.id, player, own.rating, after)

    return change(0), change(1)


def replay(games: Iterable[RatedGame], ratings: MutableMapping[int, Rated]) -> list[ChangedRating]:
    """Return what games in the order of their ends make of ratings, by account, which they update."""
    made: list[ChangedRating] = []
    for game in games:
        for change in changes(game, ratings):
            ratings[change.account_id] = Rated(change.after, game.at)
            made.append(change)
    return made


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
    if basis.rating.is_settled:
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
