"""Computing all ratings at a game again, from the first game on.

That is by command, as a site is founded, and on a server that has no ratings yet.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import and_, func, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import OperatorError
from app.core.jobs.queue import Task
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.identity.events import PlayersChanged
from app.play.games.models import Game
from app.play.ratings import queries
from app.play.ratings.counting import (
    MOST_WAITING,
    OPPONENTS_TO_SETTLE,
    PROVEN_UP_TO,
    Basis,
    ChangedRating,
    CountedRating,
    PlayersRating,
    Rated,
    RatedGame,
    Waiting,
    replay,
    with_what_counts,
)
from app.play.ratings.models import PlayerRating, RatingChange
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

FOUNDING_TIME = timedelta(days=2)
"""How long founders have played."""

PROVEN_AT_LEAST = 10
"""The number of proven players from which on others become founders by having met some of them only."""

MET_TO_JOIN = 6
"""The number of different proven players or earlier founders whom these have met."""

PROVEN_ENOUGH = 150
YOUNG_GAMES = 5_000
"""A site with fewer proven players and fewer rated games than these is young."""

PROVEN_SHARE = 1 / 3
ACTIVE_TIME = timedelta(days=14)
"""Founding goes on while the proven are a smaller share of the players who have played within this time."""

FOUNDING_GAMES = 100_000
"""The number of rated games from which on founding is over if there are PROVEN_AT_LEAST."""

TELL_OF_RATINGS = Task("tell_of_ratings")
"""The kind of job that tells all processes of new ratings: a command of an operator cannot publish events."""

_QUIET_HOUR = 4  # UTC, in which sites that are not young look for founders

_TRIES = 5
_START = Rating()
_IS_FIRSTS = and_(Game.id == RatingChange.game_id, Game.first_player == RatingChange.account_id)
_HISTORY = (
    select(Game.id, Game.first_player, Game.second_player, Game.winner_seat, RatingChange.changed_at)
    .join(RatingChange, _IS_FIRSTS)
    .order_by(RatingChange.changed_at, Game.id)
)


def is_young(proven: int, games: int) -> bool:
    """Return whether a site is young after so many games, when so many players are proven."""
    return proven < PROVEN_ENOUGH and games < YOUNG_GAMES


def is_founded(proven: int, active: int, games: int) -> bool:
    """Return whether founding is over: enough of the active players are proven after so many games.

    A crowd that grows fast proves itself too slowly.
    """
    is_enough = proven >= active * PROVEN_SHARE and not is_young(proven, games)
    return proven >= PROVEN_AT_LEAST and (is_enough or games >= FOUNDING_GAMES)


class RatingStandings:
    """The ratings after the games added so far, and what they rest on. Those of founders are proven."""

    def __init__(self, founders: frozenset[int] = frozenset()) -> None:
        self.founders = founders
        self.ratings: dict[int, Rated] = {}
        self.counted: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._games: Counter[int] = Counter()
        self._waiting: defaultdict[int, list[Waiting]] = defaultdict(list)

    def rating_of(self, player: int, at: datetime) -> PlayersRating:
        """Return a player's rating at a moment."""
        rated = self.ratings.get(player, Rated())
        return CountedRating(rated, len(self.counted[player]), self._games[player]).as_of(at)

    def add(self, game: RatedGame) -> tuple[RatedGame, list[ChangedRating]]:
        """Rate a game, and return it with what counts in it, and its changes."""
        first, second = (self._basis(player, game.at) for player in game.players)
        game = with_what_counts(game, (first, second), lambda player: self._is_proven(player, game.at))
        made = replay([game], self.ratings)
        self._games.update(game.players)
        for seat, player in enumerate(game.players):
            counting = game.counting(seat)
            self.counted[player].update(each.opponent for each in counting)
            waiting = self._waiting[player]
            waiting.append(game.result_of(seat))
            if counting:
                self._waiting[player] = [each for each in waiting if each not in counting]
        return game, made

    def proven(self, at: datetime) -> frozenset[int]:
        """Return the players whose ratings are proven at a moment."""
        return frozenset(player for player in self.ratings if self.rating_of(player, at).is_proven)

    def active(self, at: datetime) -> int:
        """Return how many players have played within ACTIVE_TIME before a moment."""
        return sum(rated.at is not None and rated.at > at - ACTIVE_TIME for rated in self.ratings.values())

    def _basis(self, player: int, at: datetime) -> Basis:
        # Older results come back when some of the latest have counted, as when a game ends.
        return Basis(self.rating_of(player, at), self.counted[player], self._waiting[player][-MOST_WAITING:])

    def _is_proven(self, player: int, at: datetime) -> bool:
        if player in self.founders:
            return True
        has_met_enough = len(self.counted[player]) >= OPPONENTS_TO_SETTLE  # most have not, and it costs less
        return has_met_enough and self.rating_of(player, at).is_proven


def founders(games: Sequence[RatedGame], earlier: frozenset[int] = frozenset()) -> frozenset[int]:
    """Return the players who have played for the founding time, each against enough of the others.

    Accounts that play one account only, or others that do so, are none. The others are those who are found
    themselves, or `earlier` founders and proven players if there are any.
    """
    first: dict[int, datetime] = {}
    last: dict[int, datetime] = {}
    met: defaultdict[int, set[int]] = defaultdict(set)
    for game in games:
        for player, opponent in (game.players, game.players[::-1]):
            first.setdefault(player, game.at)
            last[player] = game.at
            met[player].add(opponent)
    found = {player for player in met if last[player] - first[player] >= FOUNDING_TIME}
    if earlier:
        return frozenset(player for player in found if len(met[player] & earlier) >= MET_TO_JOIN)
    while found != (kept := {player for player in found if len(met[player] & found) >= OPPONENTS_TO_SETTLE}):
        found = kept
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Rerated:
    """Ratings computed from the first game on: the games with what counts in them, and their changes."""

    standings: RatingStandings
    games: Sequence[RatedGame]
    changes: Sequence[ChangedRating]

    @classmethod
    def of(cls, games: Sequence[RatedGame], founders: frozenset[int]) -> "Rerated":
        """Rate games in the order of their ends."""
        standings = RatingStandings(founders)
        added = [standings.add(game) for game in games]
        return cls(standings, [game for game, _ in added], [change for _, made in added for change in made])


def rerate(games: Sequence[RatedGame]) -> Rerated:
    """Rate games in the order of their ends.

    Until the site is founded, whoever is found to be a founder after a day has been one from the start.
    """
    standings, number = RatingStandings(), 0
    for _day, played in groupby(games, key=lambda game: game.at.date()):
        today = list(played)
        number += len(today)
        for game in today:
            standings.add(game)
        found = founders_after(games[:number], standings)
        if found is None:
            break
        if found != standings.founders:
            standings = Rerated.of(games[:number], found).standings
    return Rerated.of(games, standings.founders)


def founders_after(games: Sequence[RatedGame], standings: RatingStandings) -> frozenset[int] | None:
    """Return the founders as they are found after games, which led to standings; None if founding is over."""
    at = games[-1].at
    proven = standings.proven(at)
    if is_founded(len(proven), standings.active(at), len(games)):
        return None
    earlier = standings.founders | proven if len(proven) >= PROVEN_AT_LEAST else frozenset[int]()
    return standings.founders | founders(games, earlier)


async def rerate_all(database: Database, game: str) -> int:
    """Compute all ratings at a kind of game again, and return the number of games.

    Games go on meanwhile; one that ends as the ratings are written waits for that. Raise OperatorError if
    games end faster than ratings are computed.
    """
    for _ in range(_TRIES):
        rerated, seen = await _computed(database, game)
        if await _write(database, game, rerated, seen):
            return len(rerated.games)
    raise OperatorError("Rated games end too often now: try again at a quiet hour.")


async def found_ratings(database: Database, bus: Bus) -> None:
    """Compute the ratings at each game that is not founded yet again, if it has founders.

    The server's schedule calls it each hour. Many games take a minute, so then it does so once a day only.
    """
    for game in FOR_TWO:
        async with database.reading_now() as session:
            proven, active, games = await _counts(session, game)
        is_time = is_young(proven, games) or utc_now().hour == _QUIET_HOUR
        if not is_time or is_founded(proven, active, games):
            continue
        rerated, seen = await _computed(database, game)
        if rerated.standings.founders and await _write(database, game, rerated, seen):
            bus.publish(PlayersChanged(tuple(seen)))


async def _counts(session: AsyncSession, game: str) -> tuple[int, int, int]:
    """Return the number of proven players, of active ones, and of rated games."""
    is_proven = and_(PlayerRating.deviation <= PROVEN_UP_TO, PlayerRating.opponents >= OPPONENTS_TO_SETTLE)
    is_active = PlayerRating.updated_at > func.now() - ACTIVE_TIME
    counts = select(
        func.count().filter(is_proven),
        func.count().filter(is_active),
        func.coalesce(func.sum(PlayerRating.games), 0),
    )
    proven, active, sides = (await session.execute(counts.where(PlayerRating.game == game))).one()
    return proven, active, sides // 2


async def _computed(database: Database, game: str) -> tuple[Rerated, dict[int, str]]:
    """Return ratings computed again, and the marks of those that they replace."""
    async with database.reading_now() as session:
        marks = await queries.marks(session, game)  # before the games, so that they are never newer
        rows = (await session.execute(_HISTORY.where(RatingChange.game == game))).all()
    games = [
        RatedGame(row.id, (row.first_player, row.second_player), row.winner_seat, row.changed_at)
        for row in rows
    ]
    # The mark of a rating that was not there yet equals no mark.
    seen = {player: marks.get(player, "") for each in games for player in each.players}
    return await asyncio.to_thread(rerate, games), seen


async def _write(database: Database, game: str, rerated: Rerated, seen: dict[int, str]) -> bool:
    """Write ratings. Return False, having changed nothing, if one that they replace was written since."""
    async with database.transaction() as session:
        if not await queries.lock(session, game, seen):
            return False
        await queries.write_counted(session, rerated.games)
        await queries.write_changes(session, rerated.changes)
        await queries.write_ratings(session, game, rerated.standings.ratings)
        await queries.count_games(session, game, list(seen))
    return True


async def note_rated(session: AsyncSession, game: str, rated: Sequence[RatedGame]) -> None:
    """Note games of a kind as rated, with ratings that have not changed, on a server that has none yet."""
    rows = [
        {
            "game_id": each.id,
            "account_id": player,
            "game": game,
            "before": _START.rating,
            "after": _START.rating,
            "deviation": _START.deviation,
            "volatility": _START.volatility,
            "changed_at": each.at,
            "counted": False,
        }
        for each in rated
        for player in each.players
    ]
    await session.execute(insert(RatingChange), rows)


async def add_missing(session: AsyncSession) -> None:
    """Add the ratings of all whose games are noted as rated; none of them may have a rating."""
    of_player = (RatingChange.account_id, RatingChange.game)
    start = [literal(value) for value in (*astuple(_START), 0)]
    ratings = select(*of_player, *start, func.max(RatingChange.changed_at)).group_by(*of_player)
    columns = ["account_id", "game", "rating", "deviation", "volatility", "games", "updated_at"]
    await session.execute(insert(PlayerRating).from_select(columns, ratings))
