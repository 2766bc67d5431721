"""Arenas: the waves of pairings, and the end."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.entering import remove_ineligible
from app.compete.tournaments.field import LOOK_AGAIN_AFTER, Field, Seating, value_of
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries import free_for, terms_of
from app.core.events import Event
from engine.tournaments import arena
from engine.tournaments.arena import Score
from engine.tournaments.pairings import PairingOutcome

_WAVE_EVERY = timedelta(seconds=1)
_WRITTEN_WITHIN = timedelta(seconds=5)  # the end of a game after its moment
REST = timedelta(seconds=6)
"""How long players see the end of a game before they are paired again; meanwhile they may pause."""


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
        score_arena(tournament, pairing, players)


def score_arena(
    tournament: Tournament, pairing: TournamentPairing, players: Mapping[int, TournamentPlayer]
) -> None:
    """Add an ended game of an arena to the scores of its players, who are free from its end on.

    One that ended too late is void. A player who did not turn up is paused.
    """
    assert tournament.ends_at is not None
    assert pairing.ended_at is not None
    if _voids_late_games(tournament) and pairing.ended_at >= tournament.ends_at:
        pairing.outcome, pairing.is_played = PairingOutcome.NEITHER, False
    value = value_of(pairing)
    for seat, account_id in enumerate(value.players):
        player = players[account_id]
        player.game_id = None
        player.free_since = pairing.ended_at
        if pairing.outcome == PairingOutcome.NEITHER:
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
        return await _is_over(session, tournament, now)
    if tournament.due_at is not None and tournament.due_at > now:
        return False
    waiting, others_play = await _waiting(session, tournament)
    events += await remove_ineligible(session, tournament, waiting)
    field = Field(tournament, waiting, [])
    rested = [player.account_id for player in field.active if rests_until(player) <= now]
    free = await free_for(session, tournament, rested)
    await asyncio.to_thread(begin_wave, field, free, now, others_play=others_play)
    events += await field.write(session)
    players = {player.account_id: player for player in waiting}
    for pairing in field.starting:
        for account_id in value_of(pairing).players:
            players[account_id].game_id = pairing.game_id
    return False


def begin_wave(field: Field, may_play: Collection[int], now: datetime, *, others_play: bool) -> None:
    """Pair the players of a field who may play and have rested, and store when to do so again.

    `others_play` says whether others play in this arena.
    """
    tournament = field.tournament
    assert tournament.ends_at is not None
    rests = {each.account_id: rests_until(each) for each in field.active}
    rested = {each.account_id: each for each in field.active if rests[each.account_id] <= now}
    free = {account_id: each for account_id, each in rested.items() if account_id in may_play}
    others_come = others_play or len(free) < len(rests)
    pairs = arena.pair([_waiting_player(each, now) for each in free.values()], others_play=others_come)
    if pairs:
        tournament.round += 1
    seatings = [Seating(first, second, board) for board, (first, second) in enumerate(pairs, start=1)]
    field.starting += field.add(tournament.round, seatings)
    for first, second in pairs:
        free[first].last_opponent, free[second].last_opponent = second, first
    due = [until for until in rests.values() if until > now]
    if len(free) - 2 * len(pairs) > 1:
        due.append(now + _WAVE_EVERY)
    elif len(rested) - 2 * len(pairs) > 1:
        due.append(now + LOOK_AGAIN_AFTER)
    tournament.due_at = min([tournament.ends_at, *due])


def rests_until(player: TournamentPlayer) -> datetime:
    """Return the moment from which a player without a game may be paired: some seconds after a game."""
    return player.joined_at if player.last_opponent is None else _free_since(player) + REST


def _free_since(player: TournamentPlayer) -> datetime:
    return player.free_since or player.joined_at


async def _waiting(session: AsyncSession, tournament: Tournament) -> tuple[list[TournamentPlayer], bool]:
    """Return the players without a game, and whether others have one."""
    is_active = (TournamentPlayer.tournament_id == tournament.id, TournamentPlayer.status == "active")
    has_none = TournamentPlayer.game_id.is_(None)
    waiting = await session.scalars(select(TournamentPlayer).where(*is_active, has_none))
    plays = select(TournamentPlayer.account_id).where(*is_active, ~has_none)
    return list(waiting), await session.scalar(plays.limit(1)) is not None


def _waiting_player(player: TournamentPlayer, now: datetime) -> arena.Waiting:
    return arena.Waiting(
        player.account_id,
        round(player.points),
        tuple(player.seats),
        player.last_opponent,
        max(0, (now - _free_since(player)) // _WAVE_EVERY),
    )


async def _is_over(session: AsyncSession, tournament: Tournament, now: datetime) -> bool:
    """Return whether no game under way counts any more, and store when to look again if some may."""
    tournament.due_at = void_from(tournament)
    if tournament.due_at is not None and tournament.due_at <= now:
        return True
    running = select(TournamentPairing.id).where(
        TournamentPairing.tournament_id == tournament.id, TournamentPairing.outcome.is_(None)
    )
    return await session.scalar(running.limit(1)) is None


def void_from(tournament: Tournament) -> datetime | None:
    """Return when games without an outcome are void, None if never: all that ended in time are stored."""
    assert tournament.ends_at is not None
    return tournament.ends_at + _WRITTEN_WITHIN if _voids_late_games(tournament) else None


def _voids_late_games(tournament: Tournament) -> bool:
    return terms_of(tournament).plan.late_games == "void"
