"""Accounts: registering, preferences, rights, and closing, with what an account leaves when it is closed."""

import contextlib
from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.memberships import leave_all
from app.compete.tournaments.entering import Entering, remove_ineligible_from
from app.compete.tournaments.queries import has_joined
from app.core.database.session import Database, reads_now
from app.core.errors import AppError, ConflictError, FieldError, InvalidError
from app.core.i18n.text import _
from app.core.keep_going import keep_going
from app.core.merging import Revision
from app.core.moments import now
from app.core.realtime.bus import Bus
from app.core.realtime.events import OnlineChanged
from app.core.web.forms import InvalidFormError
from app.core.web.throttle import Limit, Throttle
from app.nugget.models import Standing
from app.nugget.standings import RankingChanged
from app.people.identity import audit, devices, names, ranked, sanctions
from app.people.identity.audit import Action, Change
from app.people.identity.clients import Client
from app.people.identity.events import PlayersChanged
from app.people.identity.locking import lock_account, lock_open_accounts
from app.people.identity.models import Account
from app.people.identity.names import find
from app.people.identity.passwords import hash_password
from app.people.identity.sanctions import SanctionKind
from app.people.identity.service import (
    ADMINISTRATOR,
    MODERATOR,
    ORGANISER,
    SCOPES,
    Identity,
    check_administrator,
    check_registered,
    identity_of,
    issue_token,
)
from app.people.mail import notices
from app.people.mail import service as mail
from app.play.games.decisions import Command
from app.play.games.queries import count_under_way, for_two
from app.play.games.service import Games
from app.play.lobby.service import Lobby
from app.play.ratings import queries as ratings
from app.site.accounts import keys, registration
from app.site.accounts.credentials import (
    check_password,
    check_username,
    erase_later,
    lock_owner,
    username_taken,
)
from app.site.accounts.models import Departure

_SETTLED = timedelta(seconds=15)  # in which every request has ended that was begun before
_MOST_GAMES = 500  # under way
_AT_ONCE = 50

RIGHTS = (ADMINISTRATOR, MODERATOR, ORGANISER)
"""What an account may be granted.

Administrators look after the server, moderators act on reports, organisers make competitions and tournaments.
"""


async def note_departure(session: AsyncSession, account_id: int) -> None:
    """Note that an account leaves, in the transaction that closes or excludes it; then call `leave`."""
    statement = insert(Departure).values(account_id=account_id)
    await session.execute(
        statement.on_conflict_do_update(index_elements=["account_id"], set_={"since": func.now()})
    )


_IS_SETTLED = Departure.since < func.now() - _SETTLED
HAS_SETTLED = exists().where(_IS_SETTLED)
"""Whether there are departures to complete."""


class Departures:
    """The accounts that leave.

    What an account leaves is left twice: at once, and some seconds later by a schedule, for what a request
    that was already under way has added, or if the server was stopped in between.
    """

    def __init__(self, database: Database, games: Games, lobby: Lobby, entering: Entering) -> None:
        self._database = database
        self._games = games
        self._lobby = lobby
        self._entering = entering

    async def leave(self, account_id: int) -> None:
        """Leave all challenges, tournaments and games of a closed account.

        One that is excluded from rated play leaves its challenges and rated tournaments.
        """
        async with self._database.reading_now() as session:
            account = await session.get_one(Account, account_id)
            is_excluded = SanctionKind.NO_RATED in await sanctions.of_account(session, account_id)
        if account.closed_at is not None or is_excluded:
            await self._lobby.withdraw_all(account_id)
            await self._entering.recheck(account_id)
        if account.closed_at is not None:
            for game in await self._games.under_way(account_id, for_two(), limit=_MOST_GAMES):
                with contextlib.suppress(AppError):  # it has just ended
                    await self._games.command(Command.RESIGN, game.id, account_id, at=now())

    async def finish(self) -> None:
        """Complete the departures that began some seconds ago."""
        async with self._database.reading_now() as session:
            settled = await session.execute(
                select(Departure.account_id, Departure.since).where(_IS_SETTLED).limit(_AT_ONCE)
            )
        for account_id, since in settled.all():
            with keep_going("departure_failed", account=account_id):
                await self.leave(account_id)
                is_same = Departure.account_id == account_id, Departure.since == since
                async with self._database.transaction() as session:
                    await session.execute(delete(Departure).where(*is_same))


class Accounts:
    """The accounts of the server."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle, departures: Departures) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle
        self._departures = departures

    obstacle_to_registering = reads_now(registration.obstacle)
    ratings = reads_now(ratings.of_account)

    async def register(
        self,
        username: str,
        password: str,
        client: Client,
        *,
        presented: Identity | None,
        invitation: str | None = None,
    ) -> str:
        """Create an account, or turn a guest into one that keeps its games; return a new session's token.

        The session that was presented ends, and all sessions and tokens of a guest do: others may know them.
        Raise FieldError `bad_username`, `username_taken`, `bad_password`, InvalidFormError if both are bad,
        ForbiddenError as `registration.admit`, ThrottledError, OverloadedError.
        """
        password_hash = await self._check_registration(username, password, client)
        async with self._database.transaction() as session:
            await registration.admit(session, invitation)
            guest = await _lock_guest(session, presented)
            if guest is not None:
                await names.retire(session, guest.username, guest.id)
            account = await _name(session, guest or Account(), username, password_hash)
            revoked = await (
                keys.revoke_all(session, guest.id) if guest else keys.revoke_current(session, presented)
            )
            audit.record(session, Action.REGISTERED, account.id, client)
            await devices.remember(session, account, client.device)
            token = await keys.replace_session(session, account, client, presented)
        self._bus.publish(*revoked)
        if guest:
            self._bus.publish(PlayersChanged((guest.id,)))
        return token

    async def register_program(
        self, username: str, password: str, client: Client, invitation: str | None
    ) -> str:
        """Create an account and return an API token with all scopes. Raise what `register` raises."""
        password_hash = await self._check_registration(username, password, client)
        async with self._database.transaction() as session:
            await registration.admit(session, invitation)
            account = await _name(session, Account(), username, password_hash)
            audit.record(session, Action.REGISTERED, account.id, client)
            return await issue_token(session, account.id, "first token", SCOPES)

    async def _check_registration(self, username: str, password: str, client: Client) -> str:
        await self._throttle.hit(Limit.REGISTER, client.network)
        faults = []
        try:
            await check_password(password, username, "password")
        except FieldError as fault:
            faults.append(fault)
        try:
            check_username(username)
            # A name is given in the transaction, which alone knows a request that is sent twice.
            if faults:
                await _check_free(self._database, username)
        except FieldError as fault:
            faults.append(fault)
        if len(faults) > 1:
            raise InvalidFormError({fault.field: fault.message for fault in faults})
        if faults:
            raise faults[0]
        return await hash_password(password)

    async def set_preferences(
        self, identity: Identity, change: Revision[Mapping[str, str]]
    ) -> Mapping[str, str]:
        """Store preferences; those that `change` leaves out stay. Return all that the account has chosen.

        Raise what `change` raises.
        """
        async with self._database.transaction() as session:
            account = await lock_account(session, identity.id)
            before = account.preferences
            account.preferences = preferences = {**before, **change(before)}
        if preferences.get("online") != before.get("online"):
            self._bus.publish(OnlineChanged(identity.id))
        return preferences

    async def declare_computer(self, identity: Identity, client: Client) -> None:
        """Label an account as one that a program plays with. This cannot be undone.

        It leaves the tournaments that are for people only.

        Raise ForbiddenError `needs_account` for a guest, ConflictError `has_played` if the account has
        ratings or Golden Nugget entries.
        """
        check_registered(identity, _("Register first: a program needs an account with a name."))
        async with self._database.transaction() as session:
            account = await lock_account(session, identity.id)  # submitting an entry locks it, too
            has_entry = select(Standing.account_id).where(Standing.account_id == identity.id).limit(1)
            if await ratings.of_account(session, identity.id) or await session.scalar(has_entry):
                raise ConflictError(
                    "has_played",
                    _("This account has ratings or entries. Register another one for the program."),
                )
            account.is_computer = True
            audit.record(session, Action.MARKED_AS_COMPUTER, identity.id, client)
            await session.flush()
            events = await remove_ineligible_from(session, has_joined(identity.id))
        self._bus.publish(*events, PlayersChanged((identity.id,)))

    async def close(self, identity: Identity, client: Client, *, erase: bool, keep_results: bool) -> None:
        """Close an account: it keeps its games, and nobody can log in to it again.

        Somebody who is not its owner may do so: the mail about it can take the account back for a week.
        Its challenges are cancelled, it leaves its tournaments, and its connections close. To `erase` its
        name and texts as well takes effect after `credentials.MAY_RETURN`, unless it is opened before that.
        It is not ranked any more, unless it is to `keep_results`. Raise FieldError `games_under_way`.
        """
        async with self._database.transaction() as session:
            account = await lock_owner(session, identity)
            if await session.scalar(count_under_way(identity.id, for_two())):
                raise FieldError(
                    "close", "games_under_way", _("You have games under way. Finish or resign them first.")
                )
            account.closed_at = func.now()
            await ranked.keep_results(session, account.id, keep=keep_results)
            if erase:
                await erase_later(session, account.id)
            await notices.record(session, Change.ACCOUNT_CLOSED, identity.id, client)
            await mail.remove(session, identity.id)
            teams_left = await leave_all(session, identity.id)
            revoked = await keys.revoke_all(session, identity.id)
            await note_departure(session, identity.id)
        self._bus.publish(*revoked, *teams_left, RankingChanged())
        await self._departures.leave(identity.id)


async def _lock_guest(session: AsyncSession, identity: Identity | None) -> Account | None:
    """Return the account of an identity if it still is a guest, locked until the transaction ends."""
    if identity is None:
        return None
    return await session.scalar(
        select(Account)
        .where(Account.id == identity.id, Account.password_hash.is_(None), Account.closed_at.is_(None))
        .with_for_update(key_share=True)
    )


async def _name(session: AsyncSession, account: Account, username: str, password_hash: str) -> Account:
    """Return an account that now has a username and a password. Raise FieldError `username_taken`."""
    account.username, account.password_hash = username, password_hash
    session.add(account)
    try:
        await session.flush()
    except IntegrityError:
        raise username_taken() from None
    # Not before: this may have waited for an account that gave the name up.
    if await names.is_withheld(session, username):
        raise username_taken()
    return account


async def _check_free(database: Database, username: str) -> None:
    """Raise FieldError for a username that an account has, or had."""
    async with database.reading_now() as session:
        has_it = exists().where(func.lower(Account.username) == username.lower())
        if await session.scalar(select(has_it)) or await names.is_withheld(session, username):
            raise username_taken()


async def grant(
    database: Database, username: str, right: str, by: Client = audit.OPERATOR, giver_id: int | None = None
) -> list[str]:
    """Grant a right to an account and return all rights that it has.

    Raise InvalidError, FieldError, and ForbiddenError unless the account `giver_id` is an administrator's
    (None is the operator).
    """
    async with database.transaction() as session:
        account = await _holder(session, username, right, giver_id)
        account.rights = sorted({*account.rights, right})
        audit.record(session, Action.RIGHT_GRANTED, account.id, by, right)
        return account.rights


async def revoke(
    database: Database, username: str, right: str, by: Client = audit.OPERATOR, giver_id: int | None = None
) -> list[str]:
    """Take a right from an account and return all rights that it has.

    Raise what `grant` raises, and ConflictError `last_key` if administrators take their own right.
    """
    async with database.transaction() as session:
        account = await _holder(session, username, right, giver_id)
        if right == ADMINISTRATOR and account.id == giver_id:
            raise ConflictError("last_key", _("Another administrator can take this right from you."))
        account.rights = sorted({*account.rights} - {right})
        audit.record(session, Action.RIGHT_REVOKED, account.id, by, right)
        return account.rights


async def _holder(session: AsyncSession, username: str, right: str, giver_id: int | None) -> Account:
    """Return the account of a name, locked, whose right is changed by an account that may do so now."""
    if right not in RIGHTS:
        raise InvalidError(
            "no_such_right",
            _(
                "There is no right %(right)s; choose one of %(rights)s.",
                right=right,
                rights=", ".join(RIGHTS),
            ),
        )
    account = await find(session, username)
    if account is None or account.is_guest:
        message = _("No player has registered the name %(name)s.", name=username)
        raise FieldError("username", "no_such_player", message)
    # Both are locked, so that of two administrators who revoke each other one remains.
    await lock_open_accounts(session, {account.id} if giver_id is None else {account.id, giver_id})
    if giver_id is not None:
        check_administrator(identity_of(await session.get_one(Account, giver_id)))
    return account


async def with_rights(session: AsyncSession) -> list[Account]:
    """Return the accounts that have rights, by their names."""
    query = select(Account).where(func.cardinality(Account.rights) > 0).order_by(Account.username)
    return list(await session.scalars(query))
