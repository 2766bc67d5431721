"""Arenas: the waves of pairings, and the end."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.entering import dismiss_unfit
from app.compete.tournaments.field import Field, Seating, value_of
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries import terms_of
from app.core.events import Event
from engine.tournaments import arena
from engine.tournaments.arena import Score
from engine.tournaments.pairings import Outcome

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


def score_arena(pairing: TournamentPairing, players: Mapping[int, TournamentPlayer]) -> None:
    """Add an ended game of an arena to the scores of its players, who are free from its end on.

    A player who did not turn up is paused.
    """
    value = value_of(pairing)
    for seat, account_id in enumerate(value.players):
        player = players[account_id]
        player.game_id = None
        player.free_since = pairing.ended_at
        if pairing.outcome == Outcome.NEITHER:
            continue
        points = value.points_of(account_id)
        score = Score(round(player.points), player.streak, player.wins, player.games).after(points)
        player.points, player.streak = score.points, score.streak
        player.wins, player.games = score.wins, score.games
        player.tie_breaks = [float(score.wins)]
        if pairing.is_played:
            player.seats = [*player.seats, seat]
        elif points == 0 and player.status == "active":
            player.status = "paused"


async def advance(session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]) -> bool:
    """Pair those who wait if a wave is due, and return whether the arena is over."""
    assert tournament.ends_at is not None
    if now >= tournament.ends_at:
        return await _is_over(session, tournament)
    if tournament.due_at is not None and tournament.due_at > now:
        return False
    free, others_play = await _waiting(session, tournament)
    events += await dismiss_unfit(session, tournament, free)
    field = Field(tournament, free, [])
    await asyncio.to_thread(begin_wave, field, now, others_play=others_play)
    events += await field.write(session)
    players = {player.account_id: player for player in free}
    for pairing in field.starting:
        for account_id in value_of(pairing).players:
            players[account_id].game_id = pairing.game_id
    return False


def begin_wave(field: Field, now: datetime, *, others_play: bool) -> None:
    """Pair the players of a field, who are free, and store when to do so again; `others_play` others."""
    tournament, free = field.tournament, {player.account_id: player for player in field.active}
    assert tournament.ends_at is not None
    pairs = arena.pair([_waiting_player(each, now) for each in free.values()], others_play=others_play)
    if pairs:
        tournament.round += 1
    seatings = [Seating(first, second, board) for board, (first, second) in enumerate(pairs, start=1)]
    field.starting += field.add(tournament.round, seatings)
    for first, second in pairs:
        free[first].last_opponent, free[second].last_opponent = second, first
    is_somebody_left = len(free) - 2 * len(pairs) > 1
    tournament.due_at = min(tournament.ends_at, now + _WAVE_EVERY) if is_somebody_left else tournament.ends_at


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


async def _is_over(session: AsyncSession, tournament: Tournament) -> bool:
    """Return whether no game under way counts any more."""
    tournament.due_at = None
    if terms_of(tournament).plan.late_games == "void":
        return True
    running = select(TournamentPairing.id).where(
        TournamentPairing.tournament_id == tournament.id, TournamentPairing.outcome.is_(None)
    )
    return await session.scalar(running.limit(1)) is None
