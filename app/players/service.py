"""What a profile tells: ratings and how they came about, results, games, and how two players fared."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, ForbiddenError
from app.games.models import Game
from app.games.queries import for_two, played_by
from app.identity.models import Account
from app.identity.service import Identity
from app.nugget.models import Standing
from app.ratings import leaderboard
from app.ratings import queries as ratings
from app.ratings.leaderboard import Place
from app.ratings.models import RatingChange
from engine.glicko2 import Rating

_MOST_POINTS = 500  # of a rating's chart, the latest


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games by how they ended for a player."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """Count them all."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class GameRating:
    """A player's rating at one game: now, its place, and each change (when, the rating before and after)."""

    game: str
    rating: Rating
    rated_games: int
    place: Place | None
    history: Sequence[tuple[datetime, float, float]]


async def game_ratings(session: AsyncSession, account_id: int) -> list[GameRating]:
    """Give an account's ratings at the games that it has played for one."""
    found = []
    for game, (rating, played) in (await ratings.of_account(session, account_id)).items():
        rows = await session.execute(
            select(RatingChange.changed_at, RatingChange.before, RatingChange.after)
            .where(RatingChange.account_id == account_id, RatingChange.game == game)
            .order_by(RatingChange.changed_at.desc())
            .limit(_MOST_POINTS)
        )
        place = await leaderboard.place(session, game, rating)
        found.append(GameRating(game, rating, played, place, list(reversed(rows.tuples().all()))))
    return found


async def declare_computer(session: AsyncSession, identity: Identity) -> None:
    """Mark an account as one that a program plays with, everywhere and for good.

    Raises ForbiddenError for a guest, ConflictError `has_played` once results stand under its name.
    """
    if identity.is_guest:
        raise ForbiddenError("needs_account", "Register first: a program plays under a name.")
    has_results = await ratings.of_account(session, identity.id) or await session.scalar(
        select(Standing.account_id).where(Standing.account_id == identity.id).limit(1)
    )
    if has_results:
        raise ConflictError(
            "has_played", "This account has ratings or entries of its own. Make another one for the program."
        )
    await session.execute(update(Account).where(Account.id == identity.id).values(is_computer=True))


async def tally(session: AsyncSession, account_id: int, opponent_id: int | None = None) -> Tally:
    """Count how an account's games ended, all of them or those against one opponent."""
    won = Game.winner_seat == case((Game.first_player == account_id, 0), else_=1)
    counts = (
        await session.execute(
            select(
                func.count().filter(won),
                func.count().filter(Game.winner_seat.is_(None)),
                func.count(),
            ).where(Game.status == "finished", games_of(account_id, opponent_id))
        )
    ).one()
    return Tally(counts[0], counts[1], counts[2] - counts[0] - counts[1])


def games_of(account_id: int, opponent_id: int | None = None) -> ColumnElement[bool]:
    """Give the condition that an account plays in a game for two, against an opponent if one is given."""
    if opponent_id is None:
        return and_(played_by(account_id), for_two())
    return and_(played_by(account_id), played_by(opponent_id))
