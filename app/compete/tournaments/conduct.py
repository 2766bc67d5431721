"""Conducting a tournament: one look at it, in one transaction, does everything that is due."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.models import Team
from app.compete.tournaments import arenas, news, rounds
from app.compete.tournaments.entering import has_host, remove_ineligible
from app.compete.tournaments.events import TournamentChanged, TournamentFinished, TournamentStarted
from app.compete.tournaments.field import Field
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries import OPEN, free_for, players_of, terms_of
from app.compete.tournaments.seasons import award_tournament
from app.compete.tournaments.standings import final_ranks
from app.compete.tournaments.terms import CALLED, FEWEST_PLAYERS, LONGEST_WAIT, TournamentKind, whole_minutes
from app.core.database.session import Database, is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.events import Event
from app.core.i18n.text import Text, _
from app.core.moments import now, utc_now
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub
from app.core.rests import Rests
from app.play.games.events import EndedGames
from app.play.games.models import Game
from app.play.games.service import Games
from app.play.ratings import queries as ratings
from engine.tournaments.pairings import PairingOutcome

log = structlog.get_logger()

_SWEEP_EVERY = 10  # looks; then ended games are found that no event announced
_MOST = 50  # tournaments at a time

_DUE: Final = """
SELECT id FROM tournaments WHERE due_at <= $1 AND id <> ALL($2::text[]) ORDER BY due_at LIMIT $3
"""
_OF_GAMES: Final = """
SELECT DISTINCT tournament_id AS id FROM tournament_pairings WHERE game_id = ANY($1) AND outcome IS NULL
"""
_WITH_ENDED_GAMES: Final = """
SELECT DISTINCT pairing.tournament_id AS id
FROM tournament_pairings pairing
JOIN tournaments ON tournaments.id = pairing.tournament_id AND tournaments.status = 'started'
JOIN games ON games.id = pairing.game_id AND games.ended_at IS NOT NULL
WHERE pairing.outcome IS NULL
"""

_WITHOUT_END: Final = """
SELECT id FROM tournaments WHERE status = 'created' AND starts_at IS NULL AND due_at IS NULL
"""
"""Tournaments that older servers let wait for players without an end."""

_NOTICE = timedelta(minutes=5)  # that players get of games in real time

_TOO_FEW = _("Too few players joined.")
_NO_HOST = _("The host cannot play.")
_TEAM_CLOSED = _("Its team was closed.")

REASONS: Mapping[str, Text] = {str(reason): reason for reason in (_TOO_FEW, _NO_HOST, _TEAM_CLOSED)}
"""Why the server cancels tournaments, by the reason as it is stored."""

_BY_SEAT = (PairingOutcome.FIRST, PairingOutcome.SECOND)


class Director:
    """The task of each process that conducts tournaments when they are due and when their games end.

    Which process does it does not matter: the row is locked, and what was done is stored with it.
    """

    def __init__(self, database: Database, bus: Bus, hub: Hub, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._ended = EndedGames(hub, games.timekeeper.time)
        self._busy: set[str] = set()
        self._rests = Rests()
        self._looks = 0

    async def run(self) -> None:
        """Conduct tournaments until cancelled."""
        await self._ended.each_time(self.look)

    async def look(self) -> None:
        """Conduct the tournaments that are due."""
        moment = now()
        resting = self._rests.resting(moment)
        again, self._busy = self._busy, set()
        for tournament_id in (await self._due(resting) | again).difference(resting):
            try:
                if await self._conduct(tournament_id):
                    self._rests.succeeded(tournament_id)
                elif tournament_id not in again:
                    self._busy.add(tournament_id)  # whose transaction may not have seen the end of a game
            except UnreadableError:
                self._rests.failed(tournament_id, moment)
            except Exception as error:
                if is_unavailable(error):
                    raise
                pause = self._rests.failed(tournament_id, moment)  # others must go on
                log.exception("tournament_failed", tournament=tournament_id, again_in=pause.total_seconds())

    async def _due(self, resting: Collection[str]) -> set[str]:
        ended = self._ended.take()
        if self._ended.has_missed_any():
            self._looks = 0
        is_sweep = self._looks % _SWEEP_EVERY == 0
        self._looks += 1
        pool = self._database.pool
        due = await pool.fetch(_DUE, utc_now(), list(resting), _MOST)
        if ended:
            due += await pool.fetch(_OF_GAMES, ended)
        if is_sweep:
            due += await pool.fetch(_WITH_ENDED_GAMES)
            due += await pool.fetch(_WITHOUT_END)
        return {row["id"] for row in due}

    async def _conduct(self, tournament_id: str) -> bool:
        """Conduct a tournament, and return whether this process could do so."""
        async with self._database.transaction() as session:
            events = await conduct(session, tournament_id, utc_now())
        self._bus.publish(*(events or ()))
        return events is not None


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
    number, before = tournament.round, _in_lists(tournament)
    if tournament.status == "created":
        await _start_if_due(session, tournament, now, events)
    has_changed = tournament.status == "started" and await _go_on(session, tournament, now, events)
    await session.flush()
    is_listed = _in_lists(tournament) != before
    if has_changed or is_listed or tournament.round != number:
        events.append(TournamentChanged(tournament.id, in_list=is_listed))
    return events


def _in_lists(tournament: Tournament) -> tuple[object, ...]:
    """Return what lists show of a tournament and a look may change.

    The waves of an arena are not shown, but whether its time is up: then it is no longer due before its end.
    """
    due_at, ends_at = tournament.due_at, tournament.ends_at
    is_time_up = ends_at is not None and (due_at is None or due_at > ends_at)
    number = None if tournament.kind == TournamentKind.ARENA else tournament.round
    return tournament.status, tournament.starts_at, number, is_time_up


async def cancel(
    session: AsyncSession, tournament: Tournament, reason: str, now: datetime, by: int | None
) -> list[Event]:
    """Cancel a tournament, and return the events for after the commit.

    All who take part are notified but the account that cancels it, None if that is the server or a moderator.
    Games under way go on.
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
        .values(outcome=PairingOutcome.NEITHER, is_played=False)
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
                TournamentPlayer.has_taken_part,
            )
            .values(rank=ranks.c.rank)
            .execution_options(synchronize_session=False)
        )
        await award_tournament(session, tournament)
    account_ids = tuple(player.account_id for player in await players_of(session, tournament.id))
    await news.withdraw_coming(session, tournament.id, account_ids)
    return [TournamentFinished(account_ids, tournament.id)]


async def cancel_those_of(session: AsyncSession, team_id: str, by: int | None) -> list[Event]:
    """Cancel the tournaments of a team that have not begun; the others go on with their players.

    `by` is the account that has closed the team. Return the events for after the commit.
    """
    coming = (Tournament.team_id == team_id, Tournament.status == "created")
    rows = await session.scalars(
        select(Tournament).where(*coming).order_by(Tournament.id).with_for_update(key_share=True)
    )
    events: list[Event] = []
    for tournament in rows.all():
        events += await cancel(session, tournament, _TEAM_CLOSED, utc_now(), by)
        events.append(TournamentChanged(tournament.id, in_list=True))
    return events


async def _start_if_due(
    session: AsyncSession, tournament: Tournament, now: datetime, events: list[Event]
) -> None:
    if _is_due(tournament, now):
        events += await remove_ineligible(session, tournament, await players_of(session, tournament.id))
    if tournament.starts_at is None:
        if not _is_due(tournament, now):  # it waits until it is full, which it may no longer be
            tournament.due_at = tournament.created_at + LONGEST_WAIT
            if now >= tournament.due_at:
                events += await cancel(session, tournament, _TOO_FEW, now, by=None)
            return
        is_realtime = terms_of(tournament).is_realtime
        tournament.starts_at = whole_minutes(now + _NOTICE) if is_realtime else now
        tournament.plan = {**tournament.plan, CALLED: True}
    if now < tournament.starts_at:
        tournament.due_at = tournament.starts_at
        return
    account_ids = tuple(player.account_id for player in await players_of(session, tournament.id))
    if (reason := await _obstacle(session, tournament, len(account_ids))) is not None:
        events += await cancel(session, tournament, reason, now, by=None)
        return
    await news.withdraw_coming(session, tournament.id, account_ids)
    tournament.status, tournament.started_at, tournament.due_at = "started", now, now
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
    """Record what has ended and do what is due; return whether pairings, games or figures changed."""
    ended = await _record(session, tournament)
    if tournament.kind == TournamentKind.ARENA:
        await arenas.score(session, tournament, ended)
        if ended and tournament.ends_at is not None and now < tournament.ends_at:
            tournament.due_at = min(tournament.due_at or now, now)
        is_over = await arenas.advance(session, tournament, now, events)
        has_changed = bool(ended)
    else:
        field = await Field.read(session, tournament)
        undecided = field.undecided
        if not rounds.is_under_way(field):
            present = [player for player in field.players if player.status != "withdrawn"]
            events += await remove_ineligible(session, tournament, present)
        tournament.due_at = None
        is_over = await asyncio.to_thread(rounds.go_on, field, ended, now)  # matching many takes a while
        has_other_figures = any(map(session.is_modified, field.players))  # such as those of who came late
        field.hold_back(await free_for(session, tournament, field.called), now)
        events += await field.write(session)
        has_decided = bool(ended) or any(pairing.outcome is not None for pairing in undecided)
        has_changed = has_decided or has_other_figures or bool(field.starting)
    if is_over:
        events += await _close(session, tournament, "finished", now)
    return has_changed


async def _record(session: AsyncSession, tournament: Tournament) -> list[TournamentPairing]:
    """Store the outcomes of games that have ended, and return their pairings in the order of the ends."""
    rows = await session.execute(
        select(TournamentPairing, Game.status, Game.winner_seat, Game.aborted_by, Game.ended_at)
        .join(Game, Game.id == TournamentPairing.game_id)
        .where(
            TournamentPairing.tournament_id == tournament.id,
            TournamentPairing.outcome.is_(None),
            Game.ended_at.is_not(None),
        )
        .order_by(Game.ended_at, TournamentPairing.id)
    )
    ended = []
    for pairing, status, winner_seat, aborted_by, ended_at in rows:
        pairing.outcome = _outcome(winner_seat, aborted_by, is_aborted=status == "aborted")
        pairing.is_played = status == "finished"
        pairing.ended_at = ended_at
        ended.append(pairing)
    return ended


def _outcome(winner_seat: int | None, aborted_by: int | None, *, is_aborted: bool) -> PairingOutcome:
    """Return the outcome of a game. One that was aborted is lost by the player who is to blame, if any."""
    if is_aborted:
        return PairingOutcome.NEITHER if aborted_by is None else _BY_SEAT[1 - aborted_by]
    return PairingOutcome.DRAW if winner_seat is None else _BY_SEAT[winner_seat]


async def _seed(session: AsyncSession, tournament: Tournament, account_ids: Sequence[int]) -> None:
    current = await ratings.current(session, tournament.game, account_ids)
    players = await players_of(session, tournament.id)
    players.sort(key=lambda player: (-current[player.account_id].rating, player.account_id))
    for seed, player in enumerate(players, start=1):
        player.rating, player.seed = round(current[player.account_id].rating), seed
