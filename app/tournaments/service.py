"""The commands on tournaments, and reading them. `app.tournaments.conduct` does what happens by itself."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.ranking import RankedPage
from app.database.session import Database
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.events import TournamentChanged
from app.i18n.text import _, ngettext
from app.identity import sanctions
from app.identity.limits import check_limit
from app.identity.models import Account
from app.identity.passwords import hash_password, verify_password
from app.identity.service import Identity, check_registered
from app.ids import new_id
from app.moments import utc_now
from app.ratings import queries as ratings
from app.realtime.bus import Bus
from app.teams.queries import is_member
from app.tournaments import decisions, queries
from app.tournaments.conduct import close
from app.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.tournaments.queries import PairingInfo, Results, Standing, TournamentInfo, Trophy
from app.tournaments.terms import MOST_PLAYERS, Terms, TournamentKind, checked
from engine.clock import control_to_dict
from engine.glicko2 import Rating
from engine.tournaments.pairings import Outcome

_MOST_OPEN = 3  # of an account
_MOST_OPEN_OF_ORGANISER = 30
_MOST_JOINED = 20
_FILLING = 50
_TROPHIES = 12


class Tournaments:
    """The tournaments of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def get(self, tournament_id: str) -> TournamentInfo:
        """Return a tournament. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.get(session, tournament_id)

    async def listing(self, status: str, cursor: str, limit: int) -> RankedPage[TournamentInfo]:
        """Return tournaments with a status: those over from the last one on, others by their start.

        Raise InvalidError `bad_cursor`.
        """
        async with self._database.reading() as session:
            return await queries.listing(session, status, cursor, limit)

    async def filling(self) -> list[TournamentInfo]:
        """Return the tournaments that start when they are full, the fullest first."""
        async with self._database.reading() as session:
            return await queries.filling(session, _FILLING)

    async def of_account(self, account_id: int) -> list[TournamentInfo]:
        """Return the tournaments that an account takes part in and that are not over."""
        async with self._database.reading_now() as session:
            return await queries.of_account(session, account_id)

    async def trophies(self, account_id: int) -> list[Trophy]:
        """Return the latest places of an account among the first three."""
        async with self._database.reading() as session:
            return await queries.trophies(session, account_id, _TROPHIES)

    async def standings(self, tournament_id: str, cursor: str, limit: int) -> RankedPage[Standing]:
        """Return a page of the standings. Raise NotFoundError, InvalidError `bad_cursor`."""
        async with self._database.reading_now() as session:
            await queries.get(session, tournament_id)
            return await queries.ranking(tournament_id).page(session, cursor, limit)

    async def standing_of(self, tournament_id: str, account_id: int) -> Standing | None:
        """Return the row of an account in the standings, or None."""
        async with self._database.reading_now() as session:
            return await queries.ranking(tournament_id).row_of(session, account_id)

    async def cursor_to(self, tournament_id: str, account_id: int) -> str:
        """Return the cursor of the page of the standings with an account's row, "" for the first page."""
        async with self._database.reading_now() as session:
            return await queries.ranking(tournament_id).cursor_to(session, account_id)

    async def rounds(self, tournament_id: str, number: int | None = None) -> list[PairingInfo]:
        """Return the pairings of a round or of all rounds; of an arena, the latest ones.

        Raise NotFoundError.
        """
        async with self._database.reading_now() as session:
            tournament = await queries.get(session, tournament_id)
            if number is not None:
                return await queries.pairings(session, tournament_id, queries.in_round(number))
            if tournament.terms.kind is TournamentKind.ARENA:
                return await queries.latest_pairings(session, tournament_id)
            return await queries.pairings(session, tournament_id)

    async def results(self, tournament_id: str) -> Results:
        """Return a tournament with all of its standings and pairings. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            most = MOST_PLAYERS[info.terms.kind]
            standings = await queries.ranking(tournament_id).page(session, "", most)
            return Results(info, standings.rows, await queries.pairings(session, tournament_id))

    async def sheet(self, tournament_id: str, account_id: int) -> list[PairingInfo]:
        """Return the pairings of a player in their order."""
        async with self._database.reading_now() as session:
            return await queries.pairings(session, tournament_id, queries.plays(account_id))

    async def make(self, identity: Identity, terms: Terms, password: str | None = None) -> TournamentInfo:
        """Make a tournament; a simul has its maker as its first player.

        Raise FieldError or InvalidError for terms that are not offered, ForbiddenError `needs_account`,
        `not_an_organiser` or `not_a_member` (of the team), ConflictError `too_many_tournaments`.
        """
        terms = _checked_for(identity, terms)
        password_hash = await hash_password(password) if password else None
        async with self._database.transaction() as session:
            await _check_open_of(session, identity)
            await _check_team(session, terms, identity)
            tournament = Tournament(id=new_id(), organiser_id=identity.id, password_hash=password_hash)
            _set_terms(tournament, terms)
            session.add(tournament)
            await session.flush()
            if terms.kind is TournamentKind.SIMUL:
                await _add_player(session, tournament, identity.id, await _rating(session, terms, identity))
            info = await queries.get(session, tournament.id)
        self._bus.publish(TournamentChanged(info.id, in_list=True))
        return info

    async def edit(self, tournament_id: str, identity: Identity, terms: Terms) -> TournamentInfo:
        """Change the terms of a tournament that has not begun. Its kind and password stay.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_started` or
        `tournament_over`, and what `make` raises about terms.
        """
        terms = _checked_for(identity, terms)
        async with self._database.transaction() as session:
            tournament = await _locked(session, tournament_id)
            decisions.check_own(tournament, identity)
            decisions.check_not_started(tournament)
            if terms.kind != tournament.kind:
                raise ConflictError("other_kind", _("Make a new tournament to play it in another way."))
            await _check_team(session, terms, identity)
            _set_terms(tournament, terms)
            await session.flush()
            info = await queries.get(session, tournament_id)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))
        return info

    async def cancel(self, tournament_id: str, identity: Identity, reason: str) -> None:
        """End a tournament without a result; games under way go on, but do not count for it.

        Moderators may cancel all. Raise NotFoundError, ForbiddenError `not_yours`, ConflictError
        `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await _locked(session, tournament_id)
            if not identity.is_moderator:
                decisions.check_own(tournament, identity)
            decisions.check_not_over(tournament)
            tournament.reason = reason
            events = await close(session, tournament, "cancelled", utc_now())
        for event in events:
            self._bus.publish(event)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))

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
            tournament = await _locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            decisions.check_open(tournament, player, now)
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
            tournament = await _locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            decisions.check_leaving(tournament, player).status = "paused"
            decisions.check_pause(tournament)
        self._bus.publish(TournamentChanged(tournament_id))

    async def withdraw(self, tournament_id: str, identity: Identity) -> None:
        """Leave a tournament. The game under way goes on, those to come are lost.

        Raise NotFoundError, ConflictError `not_joined`, `host` or `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await _locked(session, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, identity.id))
            player = decisions.check_leaving(tournament, player)
            if tournament.status == "created":
                await session.delete(player)
                tournament.size -= 1
            else:
                player.status = "withdrawn"
                tournament.due_at = (
                    utc_now() if tournament.kind != TournamentKind.ARENA else tournament.due_at
                )
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))

    async def _check_password(self, tournament_id: str, identity: Identity, password: str | None) -> None:
        """Raise ForbiddenError `wrong_password`, unless the account has joined before, or NotFoundError."""
        async with self._database.transaction() as session:
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
        terms = queries.terms_of(tournament)
        account = await session.get_one(Account, identity.id)
        known = (await ratings.of_account(session, identity.id)).get(terms.game)
        rating, games = known or (Rating(), 0)
        decisions.check_player(terms, account, rating, games)
        if terms.rated:
            await sanctions.check_may_play_rated(session, identity.id)
        await _check_team(session, terms, identity)
        error = ConflictError(
            "too_many_tournaments",
            ngettext(
                "You take part in %(count)s tournament. Let it end first.",
                "You take part in %(count)s tournaments. Let one end first.",
                _MOST_JOINED,
            ),
        )
        await check_limit(session, identity.id, queries.count_joined(identity.id), _MOST_JOINED, error)
        await _add_player(session, tournament, identity.id, rating)


def _checked_for(identity: Identity, terms: Terms) -> Terms:
    terms = checked(terms, utc_now(), most=decisions.most_players(identity))
    decisions.check_maker(identity, terms)
    return terms


def _set_terms(tournament: Tournament, terms: Terms) -> None:
    tournament.kind, tournament.name, tournament.description = terms.kind, terms.name, terms.description
    tournament.game, tournament.options = terms.game, dict(terms.options)
    tournament.time_control, tournament.rated = control_to_dict(terms.control), terms.rated
    tournament.plan, tournament.max_players = terms.plan.to_dict(), terms.max_players
    if terms.starts_at != tournament.starts_at:
        tournament.reminded_at = None
    tournament.starts_at, tournament.due_at = terms.starts_at, terms.starts_at or utc_now()
    tournament.rating_min, tournament.rating_max = terms.rating_min, terms.rating_max
    tournament.min_games, tournament.team_id = terms.min_games, terms.team_id
    tournament.computers, tournament.chat = terms.computers, terms.chat


async def _locked(session: AsyncSession, tournament_id: str) -> Tournament:
    """Return a tournament, locked until the transaction ends. Raise NotFoundError."""
    row = await session.scalar(
        select(Tournament).where(Tournament.id == tournament_id).with_for_update(key_share=True)
    )
    if row is None:
        raise NotFoundError("tournament")
    return row


async def _check_open_of(session: AsyncSession, identity: Identity) -> None:
    most = _MOST_OPEN_OF_ORGANISER if decisions.is_organiser(identity) else _MOST_OPEN
    error = ConflictError(
        "too_many_tournaments",
        ngettext(
            "You have %(count)s tournament that is not over yet. Wait for its end, or cancel it.",
            "You have %(count)s tournaments that are not over yet. Wait for one to end, or cancel one.",
            most,
        ),
    )
    await check_limit(session, identity.id, queries.count_open(identity.id), most, error)


async def _check_team(session: AsyncSession, terms: Terms, identity: Identity) -> None:
    """Raise ForbiddenError `not_a_member` if the tournament is for a team that the account is not in."""
    if terms.team_id is not None and not await is_member(session, terms.team_id, identity.id):
        raise ForbiddenError("not_a_member", _("This tournament is for the members of a team."))


async def _rating(session: AsyncSession, terms: Terms, identity: Identity) -> Rating:
    return (await ratings.current(session, terms.game, [identity.id]))[identity.id]


async def _add_player(session: AsyncSession, tournament: Tournament, account_id: int, rating: Rating) -> None:
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
                TournamentPairing.tournament_id == tournament_id, queries.in_round(number)
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
