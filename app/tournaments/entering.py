"""Joining, pausing and leaving tournaments."""

import contextlib
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.session import Database
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.events import InboxChanged, TournamentChanged
from app.i18n.text import _, ngettext
from app.identity import sanctions
from app.identity.limits import check_limit
from app.identity.models import Account
from app.identity.passwords import verify_password
from app.identity.service import Identity, check_registered
from app.inbox.kinds import NewsKind
from app.inbox.service import withdraw
from app.moments import utc_now
from app.ratings import queries as ratings
from app.realtime.bus import Bus
from app.teams.queries import is_member
from app.tournaments import decisions
from app.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.tournaments.queries.pairings import in_round, is_playing
from app.tournaments.queries.standings import has_final
from app.tournaments.queries.tournaments import OPEN, count_joined, locked, terms_of
from app.tournaments.terms import Terms, TournamentKind
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

        Raise NotFoundError, ForbiddenError `needs_account`, `wrong_password`, `not_a_member`,
        `no_rated_play`, `no_computers`, `rating_out_of_range` or `too_few_games`, ConflictError
        `tournament_over`, `tournament_started`, `tournament_full` or `too_many_tournaments`.
        """
        check_registered(identity, _("Register to take part in tournaments."))
        await self._check_password(tournament_id, identity, password)
        now = utc_now()
        async with self._database.transaction() as session:
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            decisions.check_open(tournament, player, now)
            if tournament.rated:
                await sanctions.check_may_play_rated(session, identity.id)
            if player is None:
                await self._admit(session, tournament, identity)
            elif player.status != "active":
                player.status, player.free_since = "active", now
            if tournament.status == "started":
                tournament.due_at = now
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))

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
        await self._withdraw(tournament_id, identity.id)

    async def withdraw_all(self, account_id: int, *conditions: ColumnElement[bool]) -> None:
        """Leave all tournaments that are not over and meet some conditions, except as the host of a simul."""
        async with self._database.reading_now() as session:
            joined = await session.scalars(
                select(Tournament.id)
                .join(TournamentPlayer)
                .where(
                    TournamentPlayer.account_id == account_id,
                    TournamentPlayer.status != "withdrawn",
                    Tournament.status.in_(OPEN),
                    *conditions,
                )
            )
        for tournament_id in joined.all():
            with contextlib.suppress(ConflictError):  # it has just ended, or the account is out already
                await self._withdraw(tournament_id, account_id)

    async def _withdraw(self, tournament_id: str, account_id: int) -> None:
        async with self._database.transaction() as session:
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, account_id))
            player = decisions.check_leaving(tournament, player)
            await _check_not_eliminated(session, tournament, player)
            await withdraw(session, tournament_id, [account_id], NewsKind.TOURNAMENT_SOON)
            if tournament.status == "created":
                await session.delete(player)
                tournament.size -= 1
            else:
                player.status = "withdrawn"
                if tournament.kind != TournamentKind.ARENA:
                    tournament.due_at = utc_now()
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))
        self._bus.publish(InboxChanged((account_id,)))

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

    async def _admit(self, session: AsyncSession, tournament: Tournament, identity: Identity) -> None:
        terms = terms_of(tournament)
        account = await session.get_one(Account, identity.id)
        known = (await ratings.of_account(session, identity.id)).get(terms.game)
        rating, games = known or (Rating(), 0)
        decisions.check_player(terms, account, rating, games)
        await check_team(session, terms, identity)
        error = ConflictError(
            "too_many_tournaments",
            ngettext(
                "You take part in %(count)s tournament. Let it end first.",
                "You take part in %(count)s tournaments. Let one end first.",
                _MOST_JOINED,
            ),
        )
        await check_limit(session, identity.id, count_joined(identity.id), _MOST_JOINED, error)
        await add_player(session, tournament, identity.id, rating)


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


async def remove_excluded(session: AsyncSession, tournament: Tournament) -> list[int]:
    """Remove the players who may not play rated games from a tournament that has not begun.

    Return their accounts.
    """
    removed = await session.scalars(
        delete(TournamentPlayer)
        .where(
            TournamentPlayer.tournament_id == tournament.id,
            TournamentPlayer.account_id.in_(sanctions.may_not_play_rated()),
        )
        .returning(TournamentPlayer.account_id)
    )
    account_ids = list(removed)
    tournament.size -= len(account_ids)
    await withdraw(session, tournament.id, account_ids, NewsKind.TOURNAMENT_SOON)
    return account_ids


async def check_team(session: AsyncSession, terms: Terms, identity: Identity) -> None:
    """Raise ForbiddenError `not_a_member` if the tournament is for a team that the account is not in."""
    if terms.team_id is not None and not await is_member(session, terms.team_id, identity.id):
        raise ForbiddenError("not_a_member", _("This tournament is for the members of a team."))


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
