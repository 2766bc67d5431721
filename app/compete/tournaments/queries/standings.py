"""The standings of tournaments, and the trophies of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.core.database.ranking import Order, Ranking
from app.core.web.shown import GameId, Hidden, Rating, ShownAs, Username, example
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked, rank_now
from engine.tournaments.arena import STREAK

_PODIUM = 3
_MAY_RISE_TO_PODIUM = 10  # the lowest rank from which closed accounts lift anybody so far
_ORDER = Order(
    TournamentPlayer.stage.desc(),
    TournamentPlayer.points.desc(),
    TournamentPlayer.tie_breaks.desc(),
    TournamentPlayer.seed,
    TournamentPlayer.account_id,
    ties=3,
)


@dataclass(frozen=True, slots=True)
class StandingShown:
    """A row of the standings.

    The tie-breaks of a Swiss tournament are Buchholz cut 1, Buchholz, Sonneborn-Berger, head to head and
    wins; those of a round robin the last three; that of an arena the wins. `on_fire`: points count double.
    A closed account whose results stay has no `username`.
    """

    rank: int
    account_id: Hidden[int]
    username: Username | None
    is_computer: bool
    rating: Rating
    seed: Hidden[int]
    group: int
    stage: Hidden[int]
    points: float
    tie_breaks: Sequence[float]
    games: int
    wins: int
    streak: Annotated[int, Field(alias="on_fire"), ShownAs(bool, lambda wins: wins >= STREAK)]
    status: Annotated[str, example("active")]
    game_id: GameId | None  # of the game under way


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place among the first three of a tournament."""

    tournament_id: str
    name: str
    game: str
    rank: int | None
    players: int
    ended_at: datetime | None


def ranking(tournament_id: str) -> Ranking[StandingShown]:
    """Return the standings of a tournament."""
    rows = select(TournamentPlayer, SHOWN_NAME, Account.is_computer).join(
        Account, Account.id == TournamentPlayer.account_id
    )
    is_member = (TournamentPlayer.tournament_id == tournament_id,)
    return Ranking(_ORDER, rows, is_member, TournamentPlayer.account_id, is_ranked, _standing)


def final_ranks(tournament_id: str) -> Select[int, int]:
    """Return the query for the rank of each player."""
    rank = func.rank().over(order_by=_ORDER.clauses[: _ORDER.ties])
    return select(TournamentPlayer.account_id, rank.label("rank")).where(
        TournamentPlayer.tournament_id == tournament_id
    )


async def has_final(session: AsyncSession, tournament_id: str) -> bool:
    """Return whether the finalists of a tournament in groups are known."""
    found = exists().where(TournamentPlayer.tournament_id == tournament_id, TournamentPlayer.stage > 0)
    return bool(await session.scalar(select(found)))


async def trophies(session: AsyncSession, account_id: int, limit: int) -> list[Trophy]:
    """Return the latest places of an account among the first three."""
    rank = rank_now(TournamentPlayer, "tournament_id")
    rows = await session.execute(
        select(
            Tournament.id,
            Tournament.name,
            Tournament.game,
            rank,
            Tournament.size,
            Tournament.ended_at,
        )
        .join(Tournament, Tournament.id == TournamentPlayer.tournament_id)
        .where(
            TournamentPlayer.account_id == account_id,
            is_ranked(TournamentPlayer.account_id),
            TournamentPlayer.rank <= _MAY_RISE_TO_PODIUM,
            rank <= _PODIUM,
        )
        .order_by(Tournament.ended_at.desc())
        .limit(limit)
    )
    return [Trophy(*row) for row in rows]


def _standing(rank: int, row: Any) -> StandingShown:
    player: TournamentPlayer = row.TournamentPlayer
    return StandingShown(
        rank=rank,
        account_id=player.account_id,
        username=row.username,
        is_computer=row.is_computer,
        rating=player.rating,
        seed=player.seed,
        group=player.group_number,
        stage=player.stage,
        points=player.points,
        tie_breaks=tuple(player.tie_breaks),
        games=player.games,
        wins=player.wins,
        streak=player.streak,
        status=player.status,
        game_id=player.game_id,
    )
