"""The explorer of positions: what was played in finished games."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import Double, Select, SQLColumnExpression, case, cast, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.database.unreadable import UnreadableError, read
from app.core.errors import InvalidError, UnauthenticatedError
from app.core.i18n.text import _, reason_of
from app.core.web.shown import Hidden, Move, example
from app.learn.statistics.counting import RATED_ABOVE, lowest_band
from app.learn.statistics.models import ExploredGame, ExploredMove
from app.people.identity.devices import Person
from app.people.identity.names import player
from app.people.identity.service import Identity
from app.play.bots.fair_play import FairPlay
from app.play.games.creation import proposed_options, rules_of
from app.play.games.models import Game as PlayedGame
from engine import symmetry
from engine.game import Game, MoveSyntaxError

ALL, ME = "all", "me"
"""Sources of the explorer beside the names of players."""

_MOST_GAMES = 2_000  # of a player, the latest: what the explorer looks at


@dataclass(frozen=True, slots=True)
class Source:
    """Whose games the explorer looks at: `all`, `me` or a username; and above which rating, if any."""

    of: str = ALL
    above: int | None = None


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A move, how many games went on with it, and how many of them each side won."""

    move: Move
    games: int
    wins: Annotated[Mapping[str, int], example({"black": 7, "white": 5})]


@dataclass(frozen=True, slots=True)
class Explored:
    """What was played in a position, the most frequent move first."""

    rules: Hidden[Game[Any]]
    position: Hidden[Any]
    games: int
    moves: Sequence[MovePlayed]


class Explorer:
    """What has been played on the server, by positions."""

    def __init__(self, database: Database, fair_play: FairPlay) -> None:
        self._database = database
        self._fair_play = fair_play

    async def explore(
        self, game: str, position: str, source: Source, viewer: Identity | None, person: Person
    ) -> Explored:
        """Return what was played in a position of a game for two; "" is the first one.

        Raise UnauthenticatedError for the games of a visitor, NotFoundError for an unknown game or player,
        InvalidError `bad_position` or `bad_rating`, ConflictError as `FairPlay.check` does.
        """
        rules = rules_of(game, 2)
        try:
            at: Any = rules.parse(position) if position else rules.initial(proposed_options(rules))
        except MoveSyntaxError as error:
            raise InvalidError("bad_position", reason_of(error)) from None
        await self._fair_play.check(person, rules, [at])
        if source.above not in (None, *RATED_ABOVE):
            ratings = ", ".join(map(str, RATED_ABOVE))
            raise InvalidError("bad_rating", _("Choose one of the ratings %(ratings)s.", ratings=ratings))
        fold = symmetry.fold(rules, at)
        moves = []
        for folded, games, *won in await self._played(fold.key, source, viewer):
            with contextlib.suppress(UnreadableError):
                move = read("explored_moves", f"{fold.key},{folded}", fold.unfolded, folded)
                moves.append(MovePlayed(move, games, dict(zip(map(str, rules.sides), won, strict=True))))
        return Explored(rules, at, sum(each.games for each in moves), moves)

    async def _played(self, position: int, source: Source, viewer: Identity | None) -> Sequence[Any]:
        """Return the moves in a fold, as in it, each with its games and how many of them each side won."""
        async with self._database.reading() as session:
            if source.of == ALL:
                return await played_by_all(session, position, lowest_band(source.above))
            if source.of == ME and viewer is None:
                raise UnauthenticatedError(_("Log in to see your own games. Programs need a token."))
            account_id = viewer.id if viewer and source.of == ME else (await player(session, source.of)).id
            return await played_by(session, position, account_id, source.above)


async def played_by(
    session: AsyncSession, position: int, account_id: int, above: int | None = None
) -> Sequence[Any]:
    """Return what was played in a position in the latest games of a player, the most frequent move first.

    Of these only rated games above a mean rating count, if one is given.
    """
    return (await session.execute(*_played_by(account_id, position, above))).all()


@made_once
def _played_by(account_id: int, position: int, above: int | None) -> Select[*tuple[Any, ...]]:
    # As of `counting.FinishedGame`.
    rating = case((PlayedGame.rated, (PlayedGame.ratings[1] + PlayedGame.ratings[2]) / 2)).label("rating")

    def latest(seat: SQLColumnExpression[int | None]) -> Select[*tuple[Any, ...]]:
        """Return the query for the latest games of the player in a seat, for which there is an index."""
        return (
            select(PlayedGame.id, PlayedGame.winner_seat, PlayedGame.ended_at, rating)
            .where(seat == account_id, PlayedGame.ended_at.is_not(None))
            .order_by(PlayedGame.ended_at.desc())
            .limit(_MOST_GAMES)
        )

    either = union_all(latest(PlayedGame.first_player), latest(PlayedGame.second_player)).subquery()
    games = select(either).order_by(either.c.ended_at.desc()).limit(_MOST_GAMES).subquery()
    least = cast(above, Double)
    place = func.array_position(ExploredGame.positions, position)
    folded = (
        select(func.split_part(ExploredGame.moves, " ", place).label("move"), games.c.winner_seat)
        .join(games, games.c.id == ExploredGame.game_id)
        .where(place.is_not(None), or_(least.is_(None), games.c.rating >= least))
        .subquery()
    )
    count, winner = func.count(), folded.c.winner_seat
    return (
        select(folded.c.move, count, count.filter(winner == 0), count.filter(winner == 1))
        .group_by(folded.c.move)
        .order_by(count.desc(), folded.c.move)
    )


async def played_by_all(session: AsyncSession, position: int, band: int) -> Sequence[Any]:
    """Return what was played in a position in all games from a band on, the most frequent move first."""
    games, first, second = (
        func.sum(column) for column in (ExploredMove.games, ExploredMove.first_won, ExploredMove.second_won)
    )
    query = (
        select(ExploredMove.move, games, first, second)
        .where(ExploredMove.position == position, ExploredMove.band >= band)
        .group_by(ExploredMove.move)
        .order_by(games.desc(), ExploredMove.move)
    )
    return (await session.execute(query)).all()
