"""Players who do not fit the terms of a tournament any more leave it, and are told why.

This is done whenever the terms or what is known of an account change, when the tournament starts, and before
each round and wave: nobody is paired whom the terms would not admit.
"""

import contextlib
from collections import defaultdict
from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import join

from app.compete.teams.candidates import candidate_of, candidates, known
from app.compete.tournaments import news
from app.compete.tournaments.decisions import is_host
from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.queries.tournaments import OPEN, players_of, terms_of
from app.compete.tournaments.terms import Terms, TournamentKind
from app.core.database.unreadable import UnreadableError
from app.core.events import Event
from app.core.moments import utc_now
from app.people.eligibility import Candidate, Misfit, misfits
from app.people.identity.models import Account
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify


async def unfit(
    session: AsyncSession, tournament: Tournament, terms: Terms, account_ids: Collection[int]
) -> dict[Candidate, list[Misfit]]:
    """Return those of some players of a tournament whom terms do not admit, by name, each with why.

    The host of a simul is never among them: without the host there is none.
    """
    return _unfit(tournament, terms, await candidates(session, account_ids, terms.game, terms.team_id))


def _unfit(
    tournament: Tournament, terms: Terms, players: Iterable[Candidate]
) -> dict[Candidate, list[Misfit]]:
    conditions = terms.conditions.once_begun if tournament.status == "started" else terms.conditions
    return {
        each: found
        for each in players
        if not is_host(tournament, each.account_id) and (found := misfits(conditions, each))
    }


async def dismiss_unfit(
    session: AsyncSession, tournament: Tournament, players: Collection[TournamentPlayer]
) -> list[Event]:
    """Take out those of some players who no longer fit the terms of their tournament, which is locked.

    Return the events for after the commit.
    """
    by_id = {each.account_id: each for each in players}
    found = await unfit(session, tournament, terms_of(tournament), by_id)
    if not found:
        return []
    for candidate in found:
        await take_out(session, tournament, by_id[candidate.account_id])
    await session.flush()
    told = [
        News(
            candidate.account_id,
            NewsKind.LEFT_OUT,
            tournament.id,
            data={"place": "tournaments", "name": tournament.name, "reason": reasons[0]},
        )
        for candidate, reasons in found.items()
        if Misfit.CLOSED not in reasons
    ]
    if told:
        await notify(session, *told)
    concerned = tuple(candidate.account_id for candidate in found)
    return [TournamentChanged(tournament.id, in_list=True), InboxChanged(concerned)]


async def dismiss_unfit_from(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[Event]:
    """Take out the players who no longer fit, of the tournaments not over that meet some conditions.

    The caller has changed what decides that. Return the events for after the commit.
    """
    rows = await session.scalars(
        select(Tournament)
        .where(Tournament.status.in_(OPEN), *conditions)
        .order_by(Tournament.id)
        .with_for_update(key_share=True)
    )
    events: list[Event] = []
    for tournament in rows.all():
        with contextlib.suppress(UnreadableError):
            events += await dismiss_unfit(session, tournament, await players_of(session, tournament.id))
    return events


async def take_out(session: AsyncSession, tournament: Tournament, player: TournamentPlayer) -> None:
    """Take a player out of a tournament: the game under way goes on, those to come are lost."""
    await news.withdraw_coming(session, tournament.id, [player.account_id])
    if tournament.status == "created":
        await session.delete(player)
        tournament.size -= 1
        return
    player.status = "withdrawn"
    if tournament.kind != TournamentKind.ARENA:
        tournament.due_at = utc_now()


async def has_host(session: AsyncSession, tournament: Tournament) -> bool:
    """Return whether the host of a simul may play it."""
    terms = terms_of(tournament)
    known = await candidates(session, [tournament.organiser_id or 0], terms.game, terms.team_id)
    return any(not misfits(terms.conditions.of_host, each) for each in known)


async def with_unfit(session: AsyncSession) -> list[str]:
    """Return the tournaments, not over, that have players who do not fit."""
    entries = join(TournamentPlayer, Tournament, Tournament.id == TournamentPlayer.tournament_id)
    seats = join(entries, Account, Account.id == TournamentPlayer.account_id)
    rows = await session.execute(
        known(seats, Tournament.game, Tournament.team_id)
        .add_columns(Tournament.id)
        .where(Tournament.status.in_(OPEN), TournamentPlayer.status != "withdrawn")
    )
    players = defaultdict(list)
    for *account, tournament_id in rows:
        players[tournament_id].append(candidate_of(*account))
    found = []
    for tournament in await session.scalars(select(Tournament).where(Tournament.id.in_(players))):
        with contextlib.suppress(UnreadableError):
            if _unfit(tournament, terms_of(tournament), players[tournament.id]):
                found.append(tournament.id)
    return found
