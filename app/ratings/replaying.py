"""How rated games change ratings, one after the other: pure values, for new games and for recomputing."""

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from datetime import datetime

from engine.glicko2 import PERIODS_PER_DAY, Rating, rate

_SECONDS_A_DAY = 86_400
_INITIAL = Rating()


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and the moment of the player's last rated game; None before the first one."""

    rating: Rating = _INITIAL
    at: datetime | None = None

    def periods_until(self, moment: datetime) -> float:
        """Return the rating periods since the last rated game, at a moment."""
        if self.at is None:
            return 0.0
        return max(0.0, (moment - self.at).total_seconds()) / _SECONDS_A_DAY * PERIODS_PER_DAY


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game that ended at a moment; `winner` is an index of the players, None for a draw."""

    id: str
    players: tuple[int, int]
    winner: int | None
    at: datetime


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


def changes(game: RatedGame, players: tuple[Rated, Rated]) -> tuple[Change, Change]:
    """Return what a game makes of its players' ratings."""

    def change(seat: int) -> Change:
        own, other = players[seat], players[1 - seat]
        points = 0.5 if game.winner is None else float(game.winner == seat)
        opponent = other.rating.after(other.periods_until(game.at))
        after = rate(own.rating, [(opponent, points)], periods=own.periods_until(game.at))
        return Change(game.id, game.players[seat], own.rating, after)

    return change(0), change(1)


def replay(games: Iterable[RatedGame], ratings: MutableMapping[int, Rated]) -> list[Change]:
    """Return what games in the order of their ends make of ratings, by account, which they update."""
    made: list[Change] = []
    for game in games:
        first, second = (ratings.get(account_id, Rated()) for account_id in game.players)
        for change in changes(game, (first, second)):
            ratings[change.account_id] = Rated(change.after, game.at)
            made.append(change)
    return made
