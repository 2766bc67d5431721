"""The commands on tournaments, and reading them. `conduct.py` does what needs no command."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.candidates import check_fits, check_member
from app.compete.tournaments import decisions, news, queries, standings
from app.compete.tournaments.arenas import rests_until
from app.compete.tournaments.conduct import cancel
from app.compete.tournaments.entering import add_player, dismiss_unfit, unfit
from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.queries import TournamentInfo, players_of, terms_of
from app.compete.tournaments.standings import PairingShown, StandingShown, Trophy
from app.compete.tournaments.terms import TournamentKind, TournamentTerms, checked, members_of
from app.core.database.rank_order import RankedPage
from app.core.database.session import Database
from app.core.errors import ConflictError, FieldError, NotFoundError, found
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.core.web.look_alikes import skeleton
from app.core.web.shown import Unchecked, Username
from app.people.eligibility import Misfit
from app.people.identity import names
from app.people.identity.locking import Most
from app.people.identity.models import Account
from app.people.identity.passwords import hash_password
from app.people.identity.sanctions import check_not_muted, unless_muted
from app.people.identity.service import Identity
from app.play.ratings import queries as ratings
from engine.clock import control_to_dict

_MOST_OPEN = Most(
    3,
    "too_many_tournaments",
    "You have %(count)s tournament that is not over yet. Wait for its end, or cancel it.",
    "You have %(count)s tournaments that are not over yet. Wait for one to end, or cancel one.",
)
_MOST_OPEN_OF_ORGANISER = replace(_MOST_OPEN, number=30)
_FILLING = 50
_TROPHIES = 12
_OF_TEAM = 10


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A player whom other terms would leave out, and why: codes as those of joining."""

    username: Username
    reasons: list[Unchecked[Misfit]]


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """What other terms of a tournament would do to its players."""

    players: int
    left_out: list[LeftOut]


class Tournaments:
    """The tournaments of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def get(self, tournament_id: str) -> TournamentInfo:
        """Return a tournament. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.get(session, tournament_id)

    async def get_own(self, tournament_id: str, identity: Identity) -> TournamentInfo:
        """Return a tournament that its organiser may still change.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_started` or
        `tournament_over`.
        """
        info = await self.get(tournament_id)
        decisions.check_own(info, identity)
        decisions.check_not_started(info)
        return info

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

    async def of_team(self, team_id: str) -> list[TournamentInfo]:
        """Return the tournaments of a team: those that are not over by their start, then the last ones."""
        async with self._database.reading() as session:
            return await queries.of_team(session, team_id, _OF_TEAM)

    async def trophies(self, account_id: int) -> list[Trophy]:
        """Return the latest places of an account among the first three."""
        async with self._database.reading() as session:
            return await standings.trophies(session, account_id, _TROPHIES)

    async def standings(self, tournament_id: str, cursor: str, limit: int) -> RankedPage[StandingShown]:
        """Return a page of the standings. Raise NotFoundError, InvalidError `bad_cursor`."""
        async with self._database.reading_now() as session:
            await queries.get(session, tournament_id)
            return await standings.ranking(tournament_id).page(session, cursor, limit)

    async def standing_of(self, tournament_id: str, account_id: int) -> StandingShown | None:
        """Return the row of an account in the standings, or None."""
        async with self._database.reading_now() as session:
            return await standings.ranking(tournament_id).row_of(session, account_id)

    async def next_game_from(self, tournament_id: str, account_id: int) -> datetime | None:
        """Return from when a player of an arena under way is paired again, who rests after a game.

        Return None for all others.
        """
        async with self._database.reading_now() as session:
            tournament = await session.get(Tournament, tournament_id)
            player = await session.get(TournamentPlayer, (tournament_id, account_id))
        if tournament is None or player is None or player.status != "active" or player.game_id is not None:
            return None
        until = rests_until(player)
        return until if tournament.ends_at is not None and utc_now() < until < tournament.ends_at else None

    async def is_open(self, game_id: str) -> bool:
        """Return whether the outcome of a game is yet to be counted for its tournament."""
        async with self._database.reading_now() as session:
            return await standings.is_undecided(session, game_id)

    async def rounds(self, tournament_id: str, number: int | None = None) -> list[PairingShown]:
        """Return the pairings of a round or of all rounds; of an arena, the latest ones.

        Raise NotFoundError.
        """
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            if number is not None:
                return await standings.pairings(session, tournament_id, standings.in_round(number))
            if info.terms.kind is TournamentKind.ARENA:
                return await standings.latest_pairings(session, tournament_id)
            return await standings.pairings(session, tournament_id)

    async def sheet(self, tournament_id: str, username: str) -> tuple[Account, list[PairingShown]]:
        """Return a player and the pairings in their order. Raise NotFoundError for who does not take part."""
        async with self._database.reading_now() as session:
            account = await names.find(session, username)
            if account is None or await session.get(TournamentPlayer, (tournament_id, account.id)) is None:
                raise NotFoundError("player")
            return account, await standings.pairings(session, tournament_id, standings.plays(account.id))

    async def make(
        self, identity: Identity, terms: TournamentTerms, password: str | None = None
    ) -> TournamentInfo:
        """Make a tournament; a simul has its maker as its first player.

        Raise FieldError or InvalidError for terms that are not offered, ForbiddenError `needs_account`,
        `not_an_organiser`, `muted` or `not_a_member` (of the team), ConflictError `too_many_tournaments`.
        """
        terms = _checked_for(identity, terms)
        password_hash = await hash_password(password) if password else None
        async with self._database.transaction() as session:
            await _check_open_of(session, identity)
            await _check_may(session, identity, terms)
            await _check_name(session, terms.name)
            tournament = Tournament(id=new_id(), organiser_id=identity.id, password_hash=password_hash)
            _set_terms(tournament, terms)
            session.add(tournament)
            await session.flush()
            if terms.kind is TournamentKind.SIMUL:
                rating = (await ratings.current(session, terms.game, [identity.id]))[identity.id]
                await add_player(session, tournament, identity.id, rating)
            info = await queries.get(session, tournament.id)
        self._bus.publish(TournamentChanged(info.id, in_list=True))
        return info

    async def preview(self, tournament_id: str, identity: Identity, terms: TournamentTerms) -> PreviewShown:
        """Return whom a change of the terms would leave out. Raise what `edit` raises."""
        terms = _checked_for(identity, terms)
        async with self._database.reading_now() as session:
            tournament = found(await session.get(Tournament, tournament_id), "tournament")
            await _check_edit(session, tournament, identity, terms)
            players = await players_of(session, tournament_id)
            left_out = await unfit(session, tournament, terms, [player.account_id for player in players])
        return PreviewShown(len(players), [LeftOut(each.username, why) for each, why in left_out.items()])

    async def edit(self, tournament_id: str, identity: Identity, terms: TournamentTerms) -> TournamentInfo:
        """Change the terms of a tournament that has not begun, and notify its players.

        Its kind and password stay. Players who do not fit the new terms leave it.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_started` or
        `tournament_over`, and what `make` raises about terms.
        """
        terms = _checked_for(identity, terms)
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            await _check_edit(session, tournament, identity, terms)
            before = terms_of(tournament)
            _set_terms(tournament, terms)
            await session.flush()
            events = await dismiss_unfit(session, tournament, await players_of(session, tournament_id))
            events.append(await news.tell_changed(session, tournament, before, identity.id))
            info = await queries.get(session, tournament_id)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True), *events)
        return info

    async def switch_chat(self, tournament_id: str, identity: Identity, *, is_on: bool) -> TournamentInfo:
        """Switch the chat on or off, at any time. Moderators may do so in all tournaments.

        Raise NotFoundError, ForbiddenError `not_yours`.
        """
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            decisions.check_own_or_moderated(tournament, identity)
            tournament.chat = is_on
            await session.flush()
            info = await queries.get(session, tournament_id)
        self._bus.publish(TournamentChanged(tournament_id))
        return info

    async def cancel(self, tournament_id: str, identity: Identity, reason: str) -> None:
        """End a tournament without a result; games under way go on, but do not count for it.

        Moderators may cancel all. The reason of a muted account is left out. Raise NotFoundError,
        ForbiddenError `not_yours`, ConflictError `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            decisions.check_own_or_moderated(tournament, identity)
            decisions.check_not_over(tournament)
            reason = await unless_muted(session, identity.id, reason)
            events = await cancel(session, tournament, reason, utc_now(), by=identity.id)
        self._bus.publish(*events)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True))


def _checked_for(identity: Identity, terms: TournamentTerms) -> TournamentTerms:
    terms = checked(terms, utc_now(), most=decisions.most_players(identity))
    decisions.check_maker(identity, terms)
    return terms


async def _check_may(session: AsyncSession, identity: Identity, terms: TournamentTerms) -> None:
    """Raise ForbiddenError `muted`, `not_a_member` (of the team), or why the host may not play a simul."""
    await check_not_muted(session, identity.id)
    await check_member(session, terms.team_id, identity)
    if terms.kind is TournamentKind.SIMUL:
        await check_fits(session, identity.id, terms.game, terms.conditions.of_host)


async def _check_edit(
    session: AsyncSession, tournament: Tournament, identity: Identity, terms: TournamentTerms
) -> None:
    """Raise an error unless an account may give a tournament these terms; see `Tournaments.edit`."""
    decisions.check_own(tournament, identity)
    decisions.check_not_started(tournament)
    if terms.kind != tournament.kind:
        raise ConflictError("other_kind", _("Make a new tournament to play it in another way."))
    decisions.check_room(terms, tournament.size)
    await _check_may(session, identity, terms)
    await _check_name(session, terms.name, of=tournament.id)


async def _check_name(session: AsyncSession, name: str, *, of: str = "") -> None:
    """Raise FieldError `name_taken` if another tournament that is not over has a name that looks like a name.

    Tournaments may have the same name, as those of a series do, but not one in other letters.
    """
    if await queries.has_look_alike(session, name, of):
        raise FieldError(
            "name",
            "name_taken",
            _("A tournament with a name that looks like this one exists already. Choose a different name."),
        )


def _set_terms(tournament: Tournament, terms: TournamentTerms) -> None:
    if terms.starts_at != tournament.starts_at:
        tournament.reminded_at = None
    values = members_of(TournamentTerms, terms) | {
        "skeleton": skeleton(terms.name),
        "options": dict(terms.options),
        "time_control": control_to_dict(terms.control),
        "plan": asdict(terms.plan),
        "due_at": terms.starts_at or utc_now(),
    }
    del values["control"]
    for name, value in values.items():
        setattr(tournament, name, value)


async def _check_open_of(session: AsyncSession, identity: Identity) -> None:
    most = _MOST_OPEN_OF_ORGANISER if decisions.is_organiser(identity) else _MOST_OPEN
    await most.check(session, identity.id, queries.count_open(identity.id))
