"""Joining, pausing and leaving tournaments."""

from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.candidates import check_fits
from app.compete.tournaments import decisions
from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.fitting import dismiss_unfit_from, take_out, with_unfit
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries.pairings import in_round, is_playing
from app.compete.tournaments.queries.standings import has_final
from app.compete.tournaments.queries.tournaments import count_joined, has_joined, locked, terms_of
from app.compete.tournaments.terms import TournamentKind
from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError, NotFoundError
from app.core.i18n.text import _, ngettext
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.identity.locking import check_limit, lock_account
from app.people.identity.passwords import verify_password
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import withdraw
from engine.glicko2 import Rating
from engine.tournaments.pairings import Outcome

_MOST_JOINED = 20


class Entering:
    """Who takes part in the tournaments of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def join(self, tournament_id: str, identity: Identity, password: str | None = None) -> None:
        """Take part in a tournament, or come back to it after a pause.

        Raise NotFoundError, ForbiddenError `needs_account`, `wrong_password` or a `Misfit`, ConflictError
        `tournament_over`, `tournament_started`, `tournament_full` or `too_many_tournaments`.
        """
        check_registered(identity, _("Register to take part in tournaments."))
        await self._check_password(tournament_id, identity, password)
        now = utc_now()
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            decisions.check_open(tournament, player, now)
            terms = terms_of(tournament)
            conditions = terms.conditions.once_begun if player else terms.conditions
            candidate = await check_fits(session, identity.id, terms.game, conditions)
            await withdraw(session, tournament_id, [identity.id], NewsKind.LEFT_OUT)
            if player is None:
                await _check_joined(session, identity)
                await add_player(session, tournament, identity.id, candidate.rating)
            elif player.status != "active":
                player.status, player.free_since = "active", now
            if tournament.status == "started":
                tournament.due_at = now
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))
        self._bus.publish(InboxChanged((identity.id,)))

    async def pause(self, tournament_id: str, identity: Identity) -> None:
        """Take no further games until the next `join`. The game under way goes on.

        Raise NotFoundError, ConflictError `not_joined`, `no_pause` or `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            player = decisions.check_leaving(tournament, player)
            decisions.check_pause(tournament)
            player.status = "paused"
        self._bus.publish(TournamentChanged(tournament_id))

    async def withdraw(self, tournament_id: str, identity: Identity) -> None:
        """Leave a tournament. The game under way goes on, those to come are lost.

        Raise NotFoundError, ConflictError `not_joined`, `eliminated`, `host` or `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            player = decisions.check_leaving(tournament, player)
            await _check_not_eliminated(session, tournament, player)
            await take_out(session, tournament, player)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))
        self._bus.publish(InboxChanged((identity.id,)))

    async def recheck(self, account_id: int) -> None:
        """Leave the tournaments whose terms an account does not fit any more."""
        await self._dismiss_unfit_from(has_joined(account_id))

    async def recheck_all(self) -> None:
        """Take out everybody who no longer fits the terms of a tournament."""
        async with self._database.reading_now() as session:
            tournament_ids = await with_unfit(session)
        for tournament_id in tournament_ids:
            await self._dismiss_unfit_from(Tournament.id == tournament_id)

    async def _dismiss_unfit_from(self, *conditions: ColumnElement[bool]) -> None:
        async with self._database.transaction() as session:
            events = await dismiss_unfit_from(session, *conditions)
        self._bus.publish(*events)

    async def _check_password(self, tournament_id: str, identity: Identity, password: str | None) -> None:
        """Raise ForbiddenError `wrong_password`, unless the account has joined before, or NotFoundError."""
        async with self._database.reading_now() as session:
            row = await session.get(Tournament, tournament_id)
            if row is None:
                raise NotFoundError("tournament")
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
        if row.password_hash is None or player is not None:
            return
        if not await verify_password(row.password_hash, password or ""):
            raise ForbiddenError(
                "wrong_password", _("This is not the password of the tournament. Ask its organiser for it.")
            )


async def _check_joined(session: AsyncSession, identity: Identity) -> None:
    """Raise ConflictError `too_many_tournaments`."""
    error = ConflictError(
        "too_many_tournaments",
        ngettext(
            "You take part in %(count)s tournament. Let it end first.",
            "You take part in %(count)s tournaments. Let one end first.",
            _MOST_JOINED,
        ),
    )
    await check_limit(session, identity.id, count_joined(identity.id), _MOST_JOINED, error)


async def _check_not_eliminated(
    session: AsyncSession, tournament: Tournament, player: TournamentPlayer
) -> None:
    """Raise ConflictError `eliminated`."""
    if decisions.is_eliminated(
        tournament.kind,
        tournament.round,
        player,
        is_playing=await is_playing(session, tournament.id, player.account_id),
        has_final=await has_final(session, tournament.id),
    ):
        raise ConflictError("eliminated", _("You are out of this tournament already."))


async def add_player(session: AsyncSession, tournament: Tournament, account_id: int, rating: Rating) -> None:
    """Add a player; one who comes late to a Swiss tournament gets half a point for each round so far."""
    now = utc_now()
    session.add(
        TournamentPlayer(
            tournament_id=tournament.id,
            account_id=account_id,
            rating=round(rating.rating),
            seed=tournament.size + 1 if tournament.status == "started" else 0,
            joined_at=now,
            free_since=now,
        )
    )
    tournament.size += 1
    if tournament.starts_at is None and tournament.size >= tournament.max_players:
        tournament.due_at = now
    if tournament.kind == TournamentKind.SWISS:
        for number in range(1, tournament.round + 1):
            session.add(await _half_bye(session, tournament.id, number, account_id, now))


async def _half_bye(
    session: AsyncSession, tournament_id: str, number: int, account_id: int, now: datetime
) -> TournamentPairing:
    last: int = (
        await session.scalar(
            select(func.max(TournamentPairing.board)).where(
                TournamentPairing.tournament_id == tournament_id, in_round(number)
            )
        )
        or 0
    )
    return TournamentPairing(
        tournament_id=tournament_id,
        round=number,
        board=last + 1,
        first_id=account_id,
        outcome=Outcome.DRAW,
        ended_at=now,
    )
