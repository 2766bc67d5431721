"""Who takes part in tournaments: joining, pausing and leaving, and being taken out.

Players who do not fit the terms any more leave, and are told why. This is done whenever the terms or what is
known of an account change, when the tournament starts, and before each round and wave: nobody is paired whom
the terms would not admit.
"""

import contextlib
from collections import defaultdict
from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import join

from app.compete.candidates import candidate_of, candidates, check_fits, known
from app.compete.tournaments import decisions, news
from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries import (
    OPEN,
    count_joined,
    has_joined,
    locked,
    players_of,
    terms_of,
)
from app.compete.tournaments.standings import in_round, is_playing, knows_finalists
from app.compete.tournaments.terms import TournamentKind, TournamentTerms
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.errors import ConflictError, ForbiddenError, found
from app.core.events import Event
from app.core.i18n.text import _
from app.core.merging import check_seen
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.eligibility import Candidate, Ineligibility, why_ineligible
from app.people.identity.locking import Most, lock_account
from app.people.identity.models import Account
from app.people.identity.passwords import verify_password
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import withdraw
from engine.glicko2 import Rating
from engine.tournaments.pairings import PairingOutcome

_MOST_JOINED = Most(
    20,
    "too_many_tournaments",
    "You take part in %(count)s tournament. Let it end first.",
    "You take part in %(count)s tournaments. Let one end first.",
)


class Entering:
    """Who takes part in the tournaments of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def join(
        self,
        tournament_id: str,
        identity: Identity,
        password: str | None = None,
        seen_terms: str | None = None,
    ) -> None:
        """Take part in a tournament, or come back to it after a pause.

        `seen_terms` is the fingerprint of the terms to which the identity agrees, None for any. Raise
        NotFoundError, ForbiddenError `needs_account`, `wrong_password` or an `Ineligibility`, ConflictError
        `tournament_over`, `tournament_started`, `tournament_full` or `too_many_tournaments`, StaleError.
        """
        check_has_account(identity)
        await self._check_password(tournament_id, identity, password)
        now = utc_now()
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            tournament = await locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            decisions.check_open(tournament, player, now)
            check_seen(
                terms_of(tournament).fingerprint,
                seen_terms,
                _("The terms have changed. Look at them, and join again if they suit you."),
            )
            candidate = await check_fits_terms(session, tournament, player, identity)
            await withdraw(session, tournament_id, [identity.id], NewsKind.LEFT_OUT)
            if player is None or player.status == "withdrawn":
                await _MOST_JOINED.check(session, identity.id, count_joined(identity.id))
            if player is None:
                await add_player(session, tournament, identity.id, candidate.rating)
            elif player.status != "active":
                player.status, player.free_since = "active", now
            if tournament.status == "started":
                tournament.due_at = now
        self._bus.publish(TournamentChanged(tournament_id, in_list=True), InboxChanged((identity.id,)))

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
        self._bus.publish(TournamentChanged(tournament_id, in_list=True), InboxChanged((identity.id,)))

    async def recheck(self, account_id: int) -> None:
        """Leave the tournaments whose terms an account does not fit any more."""
        await self._remove_ineligible_from(has_joined(account_id))

    async def recheck_all(self) -> None:
        """Take out everybody who no longer fits the terms of a tournament."""
        async with self._database.reading_now() as session:
            tournament_ids = await with_ineligible(session)
        for tournament_id in tournament_ids:
            await self._remove_ineligible_from(Tournament.id == tournament_id)

    async def _remove_ineligible_from(self, *conditions: ColumnElement[bool]) -> None:
        async with self._database.transaction() as session:
            events = await remove_ineligible_from(session, *conditions)
        self._bus.publish(*events)

    async def _check_password(self, tournament_id: str, identity: Identity, password: str | None) -> None:
        """Raise ForbiddenError `wrong_password`, unless the account has joined before, or NotFoundError."""
        async with self._database.reading_now() as session:
            row = found(await session.get(Tournament, tournament_id), "tournament")
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
        if row.password_hash is None or player is not None:
            return
        if not await verify_password(row.password_hash, password or ""):
            raise ForbiddenError(
                "wrong_password", _("This is not the password of the tournament. Ask its organiser for it.")
            )


def check_has_account(identity: Identity | None) -> Identity:
    """Return the identity, which may take part. Raise NeedsAccountError for guests and visitors."""
    return check_registered(identity, _("Register to take part in tournaments."))


async def check_fits_terms(
    session: AsyncSession, tournament: Tournament, player: TournamentPlayer | None, identity: Identity
) -> Candidate:
    """Return what is known of an account that the terms admit; a player comes back to a tournament.

    Raise ForbiddenError: an `Ineligibility`.
    """
    terms = terms_of(tournament)
    conditions = terms.conditions.once_begun if player else terms.conditions
    return await check_fits(session, identity.id, terms.game, conditions)


async def _check_not_eliminated(
    session: AsyncSession, tournament: Tournament, player: TournamentPlayer
) -> None:
    query = select(is_playing(tournament.id, player.account_id), knows_finalists(tournament.id))
    plays_on, has_final = (await session.execute(query)).one()
    if decisions.is_eliminated(
        tournament.kind, tournament.round, player, is_playing=plays_on, has_final=has_final
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
            of_round = TournamentPairing.tournament_id == tournament.id, in_round(number)
            last = await session.scalar(select(func.max(TournamentPairing.board)).where(*of_round))
            half_bye = TournamentPairing(
                tournament_id=tournament.id,
                round=number,
                board=(last or 0) + 1,
                first_id=account_id,
                outcome=PairingOutcome.DRAW,
                ended_at=now,
            )
            session.add(half_bye)


async def ineligible(
    session: AsyncSession, tournament: Tournament, terms: TournamentTerms, account_ids: Collection[int]
) -> dict[Candidate, list[Ineligibility]]:
    """Return those of some players of a tournament whom terms do not admit, by name, each with why.

    The host of a simul is never among them: without the host there is none.
    """
    return _ineligible(tournament, terms, await candidates(session, account_ids, terms.game, terms.team_id))


def _ineligible(
    tournament: Tournament, terms: TournamentTerms, players: Iterable[Candidate]
) -> dict[Candidate, list[Ineligibility]]:
    conditions = terms.conditions.once_begun if tournament.status == "started" else terms.conditions
    return {
        each: found
        for each in players
        if not decisions.is_host(tournament, each.account_id) and (found := why_ineligible(conditions, each))
    }


async def remove_ineligible(
    session: AsyncSession, tournament: Tournament, players: Collection[TournamentPlayer]
) -> list[Event]:
    """Take out those of some players who no longer fit the terms of their tournament, which is locked.

    Return the events for after the commit.
    """
    by_id = {each.account_id: each for each in players}
    found = await ineligible(session, tournament, terms_of(tournament), by_id)
    if not found:
        return []
    for candidate in found:
        await take_out(session, tournament, by_id[candidate.account_id])
    await session.flush()
    told = defaultdict[str, list[int]](list)
    for candidate, reasons in found.items():
        if Ineligibility.CLOSED not in reasons:
            told[reasons[0]].append(candidate.account_id)
    for reason, ids in told.items():
        await news.tell(session, tournament, NewsKind.LEFT_OUT, ids, place="tournaments", reason=reason)
    concerned = tuple(candidate.account_id for candidate in found)
    return [TournamentChanged(tournament.id, in_list=True), InboxChanged(concerned)]


async def remove_ineligible_from(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[Event]:
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
            events += await remove_ineligible(session, tournament, await players_of(session, tournament.id))
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
    return any(not why_ineligible(terms.conditions.of_host, each) for each in known)


HAS_OPEN = exists().where(Tournament.status.in_(OPEN))
"""Whether there are tournaments that are not over."""


async def with_ineligible(session: AsyncSession) -> list[str]:
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
            if _ineligible(tournament, terms_of(tournament), players[tournament.id]):
                found.append(tournament.id)
    return found
