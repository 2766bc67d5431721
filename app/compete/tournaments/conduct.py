"""Conducting a tournament: one look at it, in one transaction, does everything that is due."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import Team
from app.compete.tournaments import arenas, news, results, rounds
from app.compete.tournaments.events import TournamentChanged, TournamentFinished, TournamentStarted
from app.compete.tournaments.field import Field
from app.compete.tournaments.fitting import dismiss_unfit, has_host
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries.standings import final_ranks
from app.compete.tournaments.queries.tournaments import OPEN, players_of, terms_of
from app.compete.tournaments.seasons import award_tournament
from app.compete.tournaments.terms import FEWEST_PLAYERS, TournamentKind
from app.core.events import Event
from app.core.i18n.text import Text, _
from app.core.moments import utc_now
from app.play.ratings import queries as ratings
from engine.tournaments.pairings import Outcome

_TOO_FEW = _("Too few players joined.")
_NO_HOST = _("The host cannot play.")
_TEAM_CLOSED = _("Its team was closed.")

REASONS: Mapping[str, Text] = {str(reason): reason for reason in (_TOO_FEW, _NO_HOST, _TEAM_CLOSED)}
"""Why the server cancels tournaments, by the reason as it is stored."""


async def conduct(session: AsyncSession, tournament_id: str, now: datetime) -> list[Event] | None:
    """Record ended games, start, pair or end a tournament, and return the events for after the commit.

    Return None, and do nothing, if it is over or another transaction works on it.
    """
    tournament = await session.scalar(
        select(Tournament)
        .where(Tournament.id == tournament_id, Tournament.status.in_(OPEN))
        .with_for_update(key_share=True, skip_locked=True)
    )
    if tournament is None:
        return None
    events: list[Event] = []
    before = tournament.status, tournament.round
    if tournament.status == "created":
        await _start_if_due(session, tournament, now, events)
    if tournament.status == "started":
        has_changed = await _go_on(session, tournament, now, events)
    else:
        has_changed = False
    await session.flush()
    if has_changed or (tournament.status, tournament.round) != before:
        is_listed = tournament.status != before[0]
        events.append(TournamentChanged(tournament.id, in_list=is_listed))
    return events


async def cancel(
    session: AsyncSession, tournament: Tournament, reason: str, now: datetime, by: int | None = None
) -> list[Event]:
    """Cancel a tournament, and return the events for after the commit.

    All who take part are notified but the account that cancels it, None if that is the server. Games under
    way go on.
    """
    tournament.reason = reason
    events = await _close(session, tournament, "cancelled", now)
    return [*events, await news.tell_cancelled(session, tournament, by)]


async def _close(session: AsyncSession, tournament: Tournament, status: str, now: datetime) -> list[Event]:
    """End a tournament, and return the events for after the commit.

    Games under way go on, but do not count for it.
    """
    tournament.status, tournament.ended_at, tournament.due_at = status, now, None
    tournament.pause_until = None
    await session.flush()
    await session.execute(
        update(TournamentPairing)
        .where(TournamentPairing.tournament_id == tournament.id, TournamentPairing.outcome.is_(None))
        .values(outcome=Outcome.NEITHER, is_played=False)
        .execution_options(synchronize_session=False)
    )
    await session.execute(
        update(TournamentPlayer)
        .where(TournamentPlayer.tournament_id == tournament.id)
        .values(game_id=None)
        .execution_options(synchronize_session=False)
    )
    if status == "finished":
        ranks = final_ranks(tournament.id).subquery()
        await session.execute(
            update(TournamentPlayer)
            .where(
                TournamentPlayer.tournament_id == tournament.id,
                TournamentPlayer.account_id == ranks.c.account_id,
                or_(TournamentPlayer.games > 0, TournamentPlayer.points > 0),
            )
            .values(rank=ranks.c.rank)
            .execution_options(synchronize_session=False)
        )
        await award_tournament(session, tournament)
    account_ids = tuple(player.account_id for player in await players_of(session, tournament.id))
    await news.withdraw_coming(session, tournament.id, account_ids)
    return [TournamentFinished(account_ids, tournament.id)]


async def cancel_those_of(session: AsyncSession, team_id: str) -> list[Event]:
    """Cancel the tournaments of a closed team that have not begun; the others go on with their players.

    Return the events for after the commit.
    """
    coming = (Tournament.team_id == team_id, Tournament.status == "created")
    rows = await session.scalars(
        select(Tournament).where(*coming).order_by(Tournament.id).with_for_update(key_share=True)
    )
    events: list[Event] = []
    for tournament in rows.all():
        events += await cancel(session, tournament, _TEAM_CLOSED, utc_now())
        events.append(TournamentChanged(tournament.id, in_list=True))
    return events


async def _start_if_due(
    session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]
) -> None:
    if _is_due(tournament, now):
        events += await dismiss_unfit(session, tournament, await players_of(session, tournament.id))
    if not _is_due(tournament, now):  # it waits until it is full, which it may no longer be
        tournament.due_at = tournament.starts_at
        return
    account_ids = tuple(player.account_id for player in await players_of(session, tournament.id))
    if (reason := await _obstacle(session, tournament, len(account_ids))) is not None:
        events += await cancel(session, tournament, reason, now)
        return
    await news.withdraw_coming(session, tournament.id, account_ids)
    tournament.status, tournament.started_at, tournament.due_at = "started", now, now
    tournament.starts_at = tournament.starts_at or now
    if tournament.kind == TournamentKind.ARENA:
        tournament.ends_at = tournament.starts_at + timedelta(minutes=terms_of(tournament).plan.minutes)
    await _seed(session, tournament, account_ids)
    events.append(TournamentStarted(account_ids, tournament.id))


def _is_due(tournament: Tournament, now: datetime) -> bool:
    if tournament.starts_at is None:
        return tournament.size >= tournament.max_players
    return now >= tournament.starts_at


async def _obstacle(session: AsyncSession, tournament: Tournament, players: int) -> Text | None:
    """Return why a tournament cannot start with so many players, or None."""
    team = await session.get(Team, tournament.team_id) if tournament.team_id else None
    if team is not None and team.closed_at is not None:
        return _TEAM_CLOSED
    if players < FEWEST_PLAYERS[TournamentKind(tournament.kind)]:
        return _TOO_FEW
    if tournament.kind == TournamentKind.SIMUL and not await has_host(session, tournament):
        return _NO_HOST
    return None


async def _go_on(session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]) -> bool:
    """Record what has ended and do what is due; return whether pairings were decided."""
    ended = await results.record(session, tournament)
    if tournament.kind == TournamentKind.ARENA:
        await arenas.score(session, tournament, ended)
        if ended and tournament.ends_at is not None and now < tournament.ends_at:
            tournament.due_at = min(tournament.due_at or now, now)
        is_over = await arenas.advance(session, tournament, now, events)
        has_decided = bool(ended)
    else:
        field = await Field.read(session, tournament)
        undecided = field.undecided
        if not rounds.is_under_way(field):
            events += await dismiss_unfit(session, tournament, field.present)
        tournament.due_at = None
        is_over = await asyncio.to_thread(rounds.go_on, field, ended, now)  # matching many takes a while
        events += await field.write(session)
        has_decided = bool(ended) or any(pairing.outcome is not None for pairing in undecided)
    if is_over:
        events += await _close(session, tournament, "finished", now)
    return has_decided


async def _seed(session: AsyncSession, tournament: Tournament, account_ids: Sequence[int]) -> None:
    """Seed all players by their current ratings."""
    current = await ratings.current(session, tournament.game, account_ids)
    players = await players_of(session, tournament.id)
    players.sort(key=lambda player: (-current[player.account_id].rating, player.account_id))
    for seed, player in enumerate(players, start=1):
        player.rating, player.seed = round(current[player.account_id].rating), seed
