"""Conducting a tournament: one look at it, in one transaction, does everything that is due."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.events import Event, TournamentChanged, TournamentFinished, TournamentStarted
from app.i18n.text import Text, _
from app.identity import sanctions
from app.identity.models import Account
from app.ratings import queries as ratings
from app.tournaments import arenas, results, rounds
from app.tournaments.field import Field
from app.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.tournaments.queries.standings import final_ranks
from app.tournaments.queries.tournaments import OPEN, terms_of
from app.tournaments.reminders import withdraw_reminders
from app.tournaments.seasons import award_tournament
from app.tournaments.terms import FEWEST_PLAYERS, TournamentKind
from engine.tournaments.pairings import Outcome

_TOO_FEW = _("Too few players joined.")
_NO_HOST = _("The host cannot play.")

REASONS: Mapping[str, Text] = {str(reason): reason for reason in (_TOO_FEW, _NO_HOST)}
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


async def close(session: AsyncSession, tournament: Tournament, status: str, now: datetime) -> list[Event]:
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
    await withdraw_reminders(session, tournament.id)
    account_ids = tuple(player.account_id for player in await _players(session, tournament))
    return [TournamentFinished(tournament.id, account_ids)]


async def _start_if_due(
    session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]
) -> None:
    is_full = tournament.starts_at is None and tournament.size >= tournament.max_players
    if not is_full and (tournament.starts_at is None or now < tournament.starts_at):
        tournament.due_at = tournament.starts_at
        return
    kind = TournamentKind(tournament.kind)
    account_ids = tuple(player.account_id for player in await _players(session, tournament))
    if len(account_ids) < FEWEST_PLAYERS[kind]:
        events += await _cancel(session, tournament, _TOO_FEW, now)
        return
    if kind is TournamentKind.SIMUL and not await _has_host(session, tournament):
        events += await _cancel(session, tournament, _NO_HOST, now)
        return
    await withdraw_reminders(session, tournament.id)
    tournament.status, tournament.started_at, tournament.due_at = "started", now, now
    tournament.starts_at = tournament.starts_at or now
    if kind is TournamentKind.ARENA:
        tournament.ends_at = tournament.starts_at + timedelta(minutes=terms_of(tournament).plan.minutes)
    else:
        await _seed(session, tournament, account_ids)
    events.append(TournamentStarted(tournament.id, account_ids))


async def _cancel(session: AsyncSession, tournament: Tournament, reason: Text, now: datetime) -> list[Event]:
    tournament.reason = reason
    return await close(session, tournament, "cancelled", now)


async def _has_host(session: AsyncSession, tournament: Tournament) -> bool:
    """Return whether the host of a simul may still play it."""
    host = select(Account.id).where(Account.id == tournament.organiser_id, Account.closed_at.is_(None))
    if tournament.rated:
        host = host.where(Account.id.not_in(sanctions.may_not_play_rated()))
    return await session.scalar(host) is not None


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
        field.events = events
        undecided = field.undecided
        tournament.due_at = None
        results.pause_absent(field, ended)
        results.restand(field)
        is_over = await rounds.advance(field, now)
        results.restand(field)
        has_decided = bool(ended) or any(pairing.outcome is not None for pairing in undecided)
    if is_over:
        events += await close(session, tournament, "finished", now)
    return has_decided


async def _players(session: AsyncSession, tournament: Tournament) -> list[TournamentPlayer]:
    rows = await session.scalars(
        select(TournamentPlayer).where(
            TournamentPlayer.tournament_id == tournament.id, TournamentPlayer.status != "withdrawn"
        )
    )
    return list(rows)


async def _seed(session: AsyncSession, tournament: Tournament, account_ids: Sequence[int]) -> None:
    """Seed all players by their current ratings."""
    current = await ratings.current(session, tournament.game, account_ids)
    ranked = sorted(account_ids, key=lambda account_id: (-current[account_id].rating, account_id))
    for player in await _players(session, tournament):
        player.rating = round(current[player.account_id].rating)
        player.seed = ranked.index(player.account_id) + 1
