"""What lists of tournaments offer an account, by what decides whether it may join."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import join, outerjoin

from app.compete.candidates import candidate_of, known
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.queries import TournamentInfo
from app.core.database.statements import is_one_of, made_once
from app.people.eligibility import why_ineligible
from app.people.identity.models import Account


@dataclass(frozen=True, slots=True)
class ListReader:
    """An account that reads lists of tournaments: where it takes part, has left, and is not admitted."""

    joined: frozenset[str]
    left: frozenset[str]
    refused: frozenset[str]


async def list_reader(session: AsyncSession, account_id: int, infos: Iterable[TournamentInfo]) -> ListReader:
    """Return what some tournaments are to an account."""
    by_id = {info.id: info for info in infos}
    if not by_id:
        return ListReader(frozenset(), frozenset(), frozenset())
    statuses: dict[str, str | None] = {}
    refused = set[str]()
    for *account, tournament_id, status in await session.execute(*_entries(account_id, list(by_id))):
        conditions = by_id[tournament_id].terms.conditions
        if why_ineligible(conditions.once_begun if status else conditions, candidate_of(*account)):
            refused.add(tournament_id)
        statuses[tournament_id] = status
    left = frozenset(each for each, status in statuses.items() if status == "withdrawn")
    joined = frozenset(each for each, status in statuses.items() if status) - left
    return ListReader(joined, left, frozenset(refused))


@made_once
def _entries(account_id: int, tournament_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    is_theirs = and_(
        TournamentPlayer.tournament_id == Tournament.id, TournamentPlayer.account_id == Account.id
    )
    entries = outerjoin(join(Account, Tournament, true()), TournamentPlayer, is_theirs)
    return (
        known(entries, Tournament.game, Tournament.team_id)
        .add_columns(Tournament.id, TournamentPlayer.status)
        .where(Account.id == account_id, is_one_of(Tournament.id, tournament_ids))
    )
