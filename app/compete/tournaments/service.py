"""The commands on tournaments, and reading them. `conduct.py` does what needs no command."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.candidates import check_fits, check_member
from app.compete.teams.models import TeamMember
from app.compete.tournaments import decisions, news, queries, standings
from app.compete.tournaments.arenas import rests_until
from app.compete.tournaments.conduct import cancel
from app.compete.tournaments.entering import (
    add_player,
    check_fits_terms,
    check_has_account,
    ineligible,
    remove_ineligible,
)
from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.offering import ListReader, list_reader
from app.compete.tournaments.queries import TournamentInfo, players_of, terms_of
from app.compete.tournaments.standings import PairingShown, Rounds, StandingShown
from app.compete.tournaments.terms import CALLED, TournamentKind, TournamentTerms, checked, members_of
from app.core.database.rank_order import RankedPage
from app.core.database.session import Database, reads, reads_now
from app.core.errors import ConflictError, FieldError, ForbiddenError, NeedsAccountError, NotFoundError, found
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.merging import Revision
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.core.web.look_alikes import skeleton
from app.core.web.shown import Unchecked, Username
from app.people.eligibility import Ineligibility
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


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A player whom other terms would leave out, and why: codes as those of joining."""

    username: Username
    reasons: list[Unchecked[Ineligibility]]


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """What other terms of a tournament would do to its players."""

    players: int
    left_out: list[LeftOut]


@dataclass(frozen=True, slots=True)
class TournamentReader:
    """Somebody who looks at a tournament, and what it lets them do, by the rules that its commands follow.

    `refusal` is why its terms do not admit them, whether or not it can still be joined; `may_edit` is whether
    they may change it before its start, `may_end` whether they may cancel it and switch its chat.
    """

    refusal: ForbiddenError | None
    may_edit: bool = False
    may_end: bool = False


class Tournaments:
    """The tournaments of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    get = reads_now(queries.get)
    of_account = reads_now(queries.of_account)
    is_open = reads_now(standings.is_undecided)
    listing = reads(queries.listing)
    now_and_soon = reads(queries.now_and_soon)
    of_team = reads(queries.of_team)
    trophies = reads(standings.trophies)
    winners = reads(standings.winners)

    async def reader(self, tournament_id: str, viewer: Identity | None) -> TournamentReader:
        """Return what a tournament lets a viewer do. Raise NotFoundError."""
        try:
            identity = check_has_account(viewer)
        except NeedsAccountError as error:  # which needs no look at it: most viewers are visitors
            return TournamentReader(error)
        async with self._database.reading_now() as session:
            tournament = await _tournament(session, tournament_id)
            return TournamentReader(
                await _refusal(session, tournament, identity),
                may_edit=await _may_edit(session, tournament, identity),
                may_end=await _may_end(session, tournament, identity),
            )

    async def list_reader(
        self, viewer: Identity | None, infos: Iterable[TournamentInfo]
    ) -> ListReader | None:
        """Return what tournaments of lists are to a viewer, or None to guests and visitors: they register."""
        try:
            identity = check_has_account(viewer)
        except NeedsAccountError:
            return None
        async with self._database.reading_now() as session:
            return await list_reader(session, identity.id, infos)

    async def get_own(self, tournament_id: str, identity: Identity) -> TournamentInfo:
        """Return a tournament that its organiser may still change.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_started` or
        `tournament_over`.
        """
        async with self._database.reading_now() as session:
            await _check_may_edit(session, await _tournament(session, tournament_id), identity)
            return await queries.get(session, tournament_id)

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

    async def rounds(
        self, tournament_id: str, number: int | None = None, before: int | None = None
    ) -> Rounds:
        """Return the pairings of a round, or of all; of an arena, the latest ones, before the one with an id.

        Raise NotFoundError.
        """
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            if number is None and info.terms.kind is TournamentKind.ARENA:
                return await standings.latest_pairings(session, info.id, before)
            conditions = () if number is None else (standings.in_round(number),)
            return Rounds(await standings.pairings(session, info.id, *conditions), None)

    async def sheet(self, tournament_id: str, username: str) -> tuple[Account, list[PairingShown]]:
        """Return a player and the pairings in their order. Raise NotFoundError if they do not take part."""
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
            most = _MOST_OPEN_OF_ORGANISER if decisions.is_organiser(identity) else _MOST_OPEN
            await most.check(session, identity.id, queries.count_open(identity.id))
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

    async def preview(
        self, tournament_id: str, identity: Identity, change: Revision[TournamentTerms]
    ) -> PreviewShown:
        """Return whom a change of the terms would leave out. Raise what `edit` raises."""
        async with self._database.reading_now() as session:
            tournament = await _tournament(session, tournament_id)
            terms = _checked_for(identity, change(terms_of(tournament)))
            await _check_edit(session, tournament, identity, terms)
            players = await players_of(session, tournament_id)
            left_out = await ineligible(session, tournament, terms, [player.account_id for player in players])
        return PreviewShown(len(players), [LeftOut(each.username, why) for each, why in left_out.items()])

    async def edit(
        self, tournament_id: str, identity: Identity, change: Revision[TournamentTerms]
    ) -> TournamentInfo:
        """Change the terms of a tournament that has not begun, and notify its players.

        Its kind and password stay. Players who do not fit the new terms leave it. An organiser who has left
        the team for which it is held cannot change it.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_started` or
        `tournament_over`, what `make` raises about terms, and what `change` raises.
        """
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            before = terms_of(tournament)
            terms = _checked_for(identity, change(before))
            await _check_edit(session, tournament, identity, terms)
            _set_terms(tournament, terms)
            await session.flush()
            events = await remove_ineligible(session, tournament, await players_of(session, tournament_id))
            events.append(await news.tell_changed(session, tournament, before, identity.id))
            info = await queries.get(session, tournament_id)
        self._bus.publish(TournamentChanged(tournament_id, in_list=True), *events)
        return info

    async def switch_chat(self, tournament_id: str, identity: Identity, *, is_on: bool) -> TournamentInfo:
        """Switch the chat on or off, at any time, as who may cancel the tournament.

        Raise NotFoundError, ForbiddenError `not_yours`.
        """
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            await _check_may_end(session, tournament, identity)
            tournament.chat = is_on
            await session.flush()
            info = await queries.get(session, tournament_id)
        self._bus.publish(TournamentChanged(tournament_id))
        return info

    async def cancel(self, tournament_id: str, identity: Identity, reason: str) -> None:
        """End a tournament without a result; games under way go on, but do not count for it.

        The leader and the officers of its team may do so, too, and moderators in all tournaments; not an
        organiser who has left the team. The reason is left out if the account is muted, or neither the
        organiser nor a moderator.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `tournament_over`.
        """
        async with self._database.transaction() as session:
            tournament = await queries.locked(session, tournament_id)
            await _check_may_end(session, tournament, identity)
            decisions.check_not_over(tournament)
            if not decisions.may_say_why(tournament, identity):
                reason = ""
            reason = await unless_muted(session, identity.id, reason)
            by = identity.id if await _is_held_by(session, tournament, identity) else None
            events = await cancel(session, tournament, reason, utc_now(), by)
        self._bus.publish(*events, TournamentChanged(tournament_id, in_list=True))


async def _tournament(session: AsyncSession, tournament_id: str) -> Tournament:
    return found(await session.get(Tournament, tournament_id), "tournament")


async def _refusal(
    session: AsyncSession, tournament: Tournament, identity: Identity
) -> ForbiddenError | None:
    """Return why the terms do not admit an account that does not play, or None."""
    try:
        player = await session.get(TournamentPlayer, (tournament.id, identity.id))
        if player is None or player.status != "active":
            await check_fits_terms(session, tournament, player, identity)
    except ForbiddenError as error:
        return error
    return None


async def _may_edit(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account may change a tournament before its start: who made it, and answers for it."""
    return tournament.organiser_id == identity.id and await _is_held_by(session, tournament, identity)


async def _may_end(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account may cancel a tournament and switch its chat; moderators may do so in all."""
    return identity.is_moderator or await _is_held_by(session, tournament, identity)


async def _is_held_by(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account answers for a tournament, by itself or for its team; see `decisions`."""
    of_team = tournament.team_id and (tournament.team_id, identity.id)
    member = await session.get(TeamMember, of_team) if of_team else None
    return decisions.answers_for(tournament, identity.id, member)


async def _check_may_edit(session: AsyncSession, tournament: Tournament, identity: Identity) -> None:
    """Raise ForbiddenError `not_yours`, ConflictError `tournament_started` or `tournament_over`."""
    if not await _may_edit(session, tournament, identity):
        raise decisions.not_yours()
    decisions.check_not_started(tournament)


async def _check_may_end(session: AsyncSession, tournament: Tournament, identity: Identity) -> None:
    if not await _may_end(session, tournament, identity):
        raise decisions.not_yours()


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
    await _check_may_edit(session, tournament, identity)
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
    is_called = terms.starts_at == tournament.starts_at and CALLED in (tournament.plan or ())
    if terms.starts_at != tournament.starts_at:
        tournament.reminded_at = None
        if terms.starts_at is None:
            tournament.created_at = utc_now()  # it waits from now on
    values = members_of(TournamentTerms, terms) | {
        "skeleton": skeleton(terms.name),
        "options": dict(terms.options),
        "time_control": control_to_dict(terms.control),
        "plan": asdict(terms.plan) | ({CALLED: True} if is_called else {}),
        "due_at": terms.starts_at or utc_now(),
    }
    del values["control"], values["is_called"]
    for name, value in values.items():
        setattr(tournament, name, value)
