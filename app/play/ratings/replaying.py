"""How rated games change ratings, one after the other: pure values, for new games and for recomputing."""

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime

from app.play.ratings.settling import after_uncounted
from engine.glicko2 import PERIODS_PER_DAY, Rating, rate

_SECONDS_A_DAY = 86_400
_INITIAL = Rating()


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and the moment of the player's last rated game; None before the first one."""

    rating: Rating = _INITIAL
    at: datetime | None = None

    def as_of(self, moment: datetime) -> Rating:
        """Return the rating at a moment."""
        return self.rating.after(self.periods_until(moment))

    def periods_until(self, moment: datetime) -> float:
        """Return the rating periods since the last rated game, at a moment."""
        if self.at is None:
            return 0.0
        return max(0.0, (moment - self.at).total_seconds()) / _SECONDS_A_DAY * PERIODS_PER_DAY


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player's result that waits for its opponent to be proven; the points are 1, 0.5 or 0."""

    game_id: str
    opponent: int
    points: float


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
        points = 0.5 if self.winner is None else float(self.winner == seat)
        return Waiting(self.id, self.players[1 - seat], points)

    def counting(self, seat: int) -> list[Waiting]:
        """Return the results that count for a player as the game ends."""
        return [*self.waited[seat], *([self.result_of(seat)] if self.counted[seat] else [])]

    def concerned(self) -> set[int]:
        """Return all players on whose ratings the changes depend."""
        return {*self.players, *(each.opponent for waited in self.waited for each in waited)}


@dataclass(frozen=True, slots=True)
class Change:
    """What a game made of a player's rating."""

    game_id: str
    account_id: int
    before: Rating
    after: Rating

    @property
    def points(self) -> float:
        """Return the difference that the game made."""
        return self.after.rating - self.before.rating


def changes(game: RatedGame, ratings: Mapping[int, Rated]) -> tuple[Change, Change]:
    """Return what a game makes of its players' ratings; who has none yet has the initial one."""

    def now(player: int) -> Rating:
        return ratings.get(player, Rated()).as_of(game.at)

    def change(seat: int) -> Change:
        player = game.players[seat]
        own = ratings.get(player, Rated())
        counting = game.counting(seat)
        results = [(now(each.opponent), each.points) for each in counting or [game.result_of(seat)]]
        after = rate(own.rating, results, periods=own.periods_until(game.at))
        if not counting:
            after = after_uncounted(now(player), after)
        return Change(game.id, player, own.rating, after)

    return change(0), change(1)


def replay(games: Iterable[RatedGame], ratings: MutableMapping[int, Rated]) -> list[Change]:
    """Return what games in the order of their ends make of ratings, by account, which they update."""
    made: list[Change] = []
    for game in games:
        for change in changes(game, ratings):
            ratings[change.account_id] = Rated(change.after, game.at)
            made.append(change)
    return made
