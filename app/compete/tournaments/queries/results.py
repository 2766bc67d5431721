"""All results of a tournament."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.queries import pairings, standings, tournaments
from app.compete.tournaments.queries.pairings import PairingShown
from app.compete.tournaments.queries.standings import StandingShown
from app.compete.tournaments.queries.tournaments import TournamentInfo
from app.compete.tournaments.terms import MOST_PLAYERS


@dataclass(frozen=True, slots=True)
class Results:
    """A tournament with all of its standings and pairings."""

    info: TournamentInfo
    standings: Sequence[StandingShown]
    pairings: Sequence[PairingShown]


async def results_of(session: AsyncSession, tournament_id: str) -> Results:
    """Return a tournament with all of its standings and pairings. Raise NotFoundError."""
    info = await tournaments.get(session, tournament_id)
    most = MOST_PLAYERS[info.terms.kind]
    rows = (await standings.ranking(tournament_id).page(session, "", most)).rows
    return Results(info, rows, await pairings.all_of(session, tournament_id))
