"""Arenas: the waves of pairings, and the end."""

import asyncio
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.events import Event
from app.tournaments.field import Field, Seating
from app.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.tournaments.queries.tournaments import terms_of
from app.tournaments.results import score_arena
from engine.tournaments import arena

_WAVE_EVERY = timedelta(seconds=1)


async def score(session: AsyncSession, tournament: Tournament, ended: list[TournamentPairing]) -> None:
    """Add games that have ended to the scores; their players are paired again in the next wave."""
    concerned = {player for pairing in ended for player in (pairing.first_id, pairing.second_id)}
    rows = await session.scalars(
        select(TournamentPlayer).where(
            TournamentPlayer.tournament_id == tournament.id, TournamentPlayer.account_id.in_(concerned)
        )
    )
    players = {player.account_id: player for player in rows}
    for pairing in ended:
        score_arena(pairing, players)


async def advance(session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]) -> bool:
    """Pair those who wait if a wave is due, and return whether the arena is over."""
    assert tournament.ends_at is not None
    if now >= tournament.ends_at:
        return await _is_over(session, tournament)
    if tournament.due_at is not None and tournament.due_at > now:
        return False
    players, others_play = await _waiting(session, tournament)
    waiting = [_waiting_player(player, now) for player in players]
    pairs = await asyncio.to_thread(arena.pair, waiting, others_play=others_play)
    if pairs:
        await _start(session, tournament, players, pairs, events)
    is_somebody_left = len(players) - 2 * len(pairs) > 1
    tournament.due_at = min(tournament.ends_at, now + _WAVE_EVERY) if is_somebody_left else tournament.ends_at
    return False


async def _waiting(session: AsyncSession, tournament: Tournament) -> tuple[list[TournamentPlayer], bool]:
    """Return the players who are free, and whether others are playing."""
    is_active = (TournamentPlayer.tournament_id == tournament.id, TournamentPlayer.status == "active")
    is_free = TournamentPlayer.game_id.is_(None)
    free = await session.scalars(select(TournamentPlayer).where(*is_active, is_free))
    plays = select(TournamentPlayer.account_id).where(*is_active, ~is_free)
    return list(free), await session.scalar(plays.limit(1)) is not None


def _waiting_player(player: TournamentPlayer, now: datetime) -> arena.Waiting:
    since = player.free_since or player.joined_at
    return arena.Waiting(
        player.account_id,
        round(player.points),
        tuple(player.seats),
        player.last_opponent,
        max(0, (now - since) // _WAVE_EVERY),
    )


async def _start(
    session: AsyncSession,
    tournament: Tournament,
    players: list[TournamentPlayer],
    pairs: list[tuple[int, int]],
    events: list[Event],
) -> None:
    by_id = {player.account_id: player for player in players}
    field = Field(session, tournament, players, [], events)
    tournament.round += 1
    seatings = [Seating(first, second, board) for board, (first, second) in enumerate(pairs, start=1)]
    added = field.add(tournament.round, seatings)
    await field.start_games(added)
    for pairing, (first, second) in zip(added, pairs, strict=True):
        for one, other in ((first, second), (second, first)):
            by_id[one].game_id, by_id[one].last_opponent = pairing.game_id, other


async def _is_over(session: AsyncSession, tournament: Tournament) -> bool:
    """Return whether no game under way counts any more."""
    tournament.due_at = None
    if terms_of(tournament).plan.late_games == "void":
        return True
    running = select(TournamentPairing.id).where(
        TournamentPairing.tournament_id == tournament.id, TournamentPairing.outcome.is_(None)
    )
    return await session.scalar(running.limit(1)) is None
