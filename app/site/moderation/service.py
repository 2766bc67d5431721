"""Reporting players, and what moderators and the players concerned do about it."""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableRow
from app.core.errors import ConflictError, FieldError, ForbiddenError, NotFoundError, OverloadedError
from app.core.events import Event
from app.core.i18n.text import _
from app.core.merging import check_seen
from app.core.realtime.bus import Bus
from app.core.web.throttle import Limit, Throttle
from app.people.identity import sanctions
from app.people.identity.locking import lock_account
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.sanctions import SanctionKind
from app.people.identity.service import Identity, identity_of
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from app.people.mail import links
from app.people.mail.links import Purpose
from app.people.social.queries import hidden_authors
from app.play.ratings import voiding
from app.site.accounts.service import Departures, note_departure
from app.site.moderation import effects, places, queries
from app.site.moderation.effects import OutdatedPlanError
from app.site.moderation.events import ReportsChanged
from app.site.moderation.kinds import ModeratorAction, Order, Reason
from app.site.moderation.models import ModerationAction, Report
from app.site.moderation.places import Place
from app.site.moderation.queries import (
    Company,
    Context,
    DecisionShown,
    LoggedAction,
    ReportList,
    ReportShown,
    ReportSource,
)
from app.site.moderation.reporting import MOST_OPEN, add_report, beginning, find_reported

_LISTED = 200
_PLANS = 5  # for voiding a game, while other games end
_LEAVING = (ModeratorAction.CLOSE, ModeratorAction.BAN)
"""Actions that end what the player takes part in."""


@dataclass(frozen=True, slots=True)
class Case:
    """What moderators know about an account: reports, actions, what is forbidden to it, and what they may do.

    `said` is what was said around the texts that open reports are about, by the ids of these.
    """

    account: Account
    reports: Sequence[ReportShown]
    said: Mapping[int, Context]
    company: Company
    actions: Sequence[LoggedAction]
    sanctions: Mapping[SanctionKind, datetime]
    choices: Collection[ModeratorAction]

    @property
    def last_action(self) -> int:
        """Return the id of the last action about the account, 0 without any."""
        return self.actions[0].action.id if self.actions else 0


@dataclass(frozen=True, slots=True)
class LogPage:
    """A part of the log, the latest line first; `older` is the id that the next part begins after, if any."""

    actions: Sequence[LoggedAction]
    older: int | None


class Moderation:
    """Reports about the players of the server, and the work of its moderators.

    What moderators alone may read and do raises ForbiddenError `not_a_moderator` for others.
    """

    def __init__(self, database: Database, bus: Bus, throttle: Throttle, departures: Departures) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle
        self._departures = departures

    async def report(
        self,
        identity: Identity,
        network: str,
        username: str,
        place: str,
        reason: Reason,
        text: str,
        seen: str = "",
    ) -> int:
        """Report a player to the moderators, and return the report's id; the same report twice is one.

        `seen` is what was at the place when the reporter saw it: its author may have changed it since. All
        guests of a network may report as much as one. Raise NotFoundError, FieldError `own_report` or
        `bad_place`, ConflictError `too_many_reports`, ThrottledError.
        """
        places.check_known(place)
        await self._throttle.hit(Limit.REPORT, f"account:{identity.id}")
        if identity.is_guest:
            await self._throttle.hit(Limit.REPORT_NETWORK, network)
        async with self._database.transaction() as session:
            account = await find_reported(session, identity, username)
            report_id = await add_report(session, account.id, identity.id, reason, place, text, seen)
        self._bus.publish(ReportsChanged())
        return report_id

    async def text_to_report(self, identity: Identity, username: str, place: str) -> str:
        """Return the text of a player that a report would quote now, only the beginning of a long one.

        Raise NotFoundError, FieldError `own_report` or `bad_place`.
        """
        places.check_known(place)
        async with self._database.reading_now() as session:
            account = await find_reported(session, identity, username)
            known = places.parse(place)
            is_gone = account.closed_at is not None and known is not None and known.kind == "profile"
            if is_gone or account.id in await hidden_authors(session, identity.id):
                return ""  # as on pages; the report quotes it to moderators all the same
            quote = await places.quote(session, known, account.id, identity.id)
        return beginning(quote)

    async def queue(self, identity: Identity, source: ReportSource, before: int | None) -> ReportList:
        """Return a part of the open reports about others; `before` is the id that it begins after."""
        _check_moderator(identity)
        is_listed = true() if before is None else Report.id < before
        wanted = queries.is_wanted(identity.id, source), is_listed
        async with self._database.reading_now() as session:
            reports, has_more = await queries.reports(session, *wanted, limit=_LISTED)
        return ReportList(reports, reports[-1].id if has_more and reports else None)

    async def open_reports(self, identity: Identity, source: ReportSource) -> int:
        """Return the number of open reports from a source about others."""
        _check_moderator(identity)
        async with self._database.reading_now() as session:
            return await queries.count_open(session, identity.id, source)

    async def unreadable(self, identity: Identity) -> Sequence[UnreadableRow]:
        """Return the stored rows that cannot be read."""
        _check_moderator(identity)
        async with self._database.reading_now() as session:
            return await queries.unreadable(session, limit=_LISTED)

    async def case(self, identity: Identity, username: str) -> Case:
        """Return what moderators know about a player.

        Raise ForbiddenError `not_about_moderators`, NotFoundError.
        """
        _check_moderator(identity)
        async with self._database.reading_now() as session:
            account = await player(session, username)
            _check_about_another(identity, account)
            is_about = Report.account_id == account.id
            reports, _has_more = await queries.reports(session, is_about, limit=_LISTED)
            return Case(
                account,
                reports,
                await queries.said_around(
                    session, [each for each in reports if each.is_open][: MOST_OPEN.number]
                ),
                await queries.company(session, account.id),
                await queries.actions(session, ModerationAction.account_id == account.id, limit=_LISTED),
                await sanctions.of_account(session, account.id),
                _choices(account),
            )

    async def context(self, identity: Identity, place: Place) -> Context:
        """Return what was said around a reported line of chat or message. Raise NotFoundError."""
        _check_moderator(identity)
        async with self._database.reading_now() as session:
            context = await queries.context(session, place, identity.id)
        if context is None:
            raise NotFoundError("page")
        return context

    async def log(self, identity: Identity, before: int | None) -> LogPage:
        """Return a part of the log of moderation; `before` is the id that it begins after."""
        _check_moderator(identity)
        older: list[ColumnElement[bool]] = [ModerationAction.id < before] if before else []
        async with self._database.reading_now() as session:
            logged = await queries.actions(session, *older, limit=_LISTED + 1)
        actions = logged[:_LISTED]
        return LogPage(actions, actions[-1].action.id if len(logged) > _LISTED else None)

    async def act(self, identity: Identity, username: str, order: Order) -> int:
        """Do something about a player, close the reports concerned, and return the id of the log's line.

        A closed player loses the challenges, tournaments and games under way, an excluded one the challenges
        and rated tournaments. Raise ForbiddenError `not_about_moderators`, NotFoundError,
        FieldError `bad_reason`, ConflictError `decided` if one of the reports is closed, StaleError if there
        was another action since the one that the moderator has seen, and what `effects.carry_out` raises.
        """
        _check_moderator(identity)
        if not order.reason.strip():
            raise FieldError("reason", "bad_reason", _("Give the player a reason."))
        for _attempt in range(_PLANS):
            with contextlib.suppress(OutdatedPlanError):
                account_id, action_id, events = await self._act(identity, username, order)
                break
        else:
            raise OverloadedError(_("Rated games are ending all the time. Try again in a moment."))
        self._bus.publish(*events, ReportsChanged())
        if order.action in _LEAVING:
            await self._departures.leave(account_id)
        return action_id

    async def _act(self, identity: Identity, username: str, order: Order) -> tuple[int, int, list[Event]]:
        is_void = order.action is ModeratorAction.VOID_GAME
        plan = await voiding.plan(self._database, order.subject_id) if is_void else None
        async with self._database.transaction() as session:
            account = await _subject(session, identity, username, order.action)
            check_seen(
                await queries.last_action(session, account.id),
                order.after,
                _("Another moderator has decided something about this player since. Look at the case again."),
            )
            reporters = await _close_reports(session, identity, account, order)
            effect = await effects.carry_out(session, account, order, plan)
            if order.action in _LEAVING:
                await note_departure(session, account.id)
            action = ModerationAction(
                moderator_id=identity.id,
                account_id=account.id,
                action=order.action,
                reason=order.reason.strip(),
                details=effect.details,
            )
            session.add(action)
            await session.flush()
            if order.action is not ModeratorAction.DISMISS:
                await notify(session, News(account.id, NewsKind.MODERATION, str(action.id), None))
            events = [*effect.events, InboxChanged((account.id, *reporters))]
            return account.id, action.id, events

    async def owner_of_link(self, token: str) -> int:
        """Return the id of the closed account whose owner was sent a link to answer. Raise BadLinkError."""
        async with self._database.reading_now() as session:
            return await links.owner_of(session, token, Purpose.APPEAL)

    async def decisions(self, account_id: int) -> list[DecisionShown]:
        """Return what moderators decided about an account, the latest first."""
        async with self._database.reading_now() as session:
            logged = await queries.actions(session, *_told(account_id), limit=_LISTED)
            answered = await queries.answered(session, account_id)
        return [
            DecisionShown(
                action.id,
                action.action,
                action.reason,
                action.details,
                action.at,
                may_answer=_place_of(action.id) not in answered,
            )
            for action in (each.action for each in logged)
        ]

    async def answer(self, account_id: int, action_id: int, text: str) -> None:
        """Answer a moderator's action about an account, once; the answer is in the queue.

        Raise NotFoundError, FieldError `no_text`, ConflictError `answered`, ThrottledError.
        """
        await self._throttle.hit(Limit.REPORT, f"account:{account_id}")
        if not text.strip():
            raise FieldError("text", "no_text", _("Write your answer."))
        async with self._database.transaction() as session:
            await lock_account(session, account_id)
            told = select(ModerationAction.id).where(ModerationAction.id == action_id, *_told(account_id))
            if await session.scalar(told) is None:
                raise NotFoundError("page")
            place = _place_of(action_id)
            if place in await queries.answered(session, account_id):
                raise ConflictError(
                    "answered", _("You have answered this already. A moderator will read it.")
                )
            await add_report(session, account_id, account_id, Reason.APPEAL, place, text)
        self._bus.publish(ReportsChanged())


def _told(account_id: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the actions about an account that its owner is told of, and may answer."""
    return ModerationAction.account_id == account_id, ModerationAction.action != ModeratorAction.DISMISS


async def _close_reports(
    session: AsyncSession, identity: Identity, account: Account, order: Order
) -> set[int]:
    """Close the open reports about an account that are concerned, and notify the reporters; return them.

    Raise ConflictError `decided` if somebody has closed one of those that the moderator has seen.
    """
    is_concerned = true() if order.reports is None else Report.id.in_(order.reports)
    closed = (
        update(Report)
        .where(Report.account_id == account.id, queries.is_open(), is_concerned)
        .values(closed_at=func.now(), closed_by=identity.id)
        .returning(Report.id, Report.reporter_id)
    )
    found = {row.id: row.reporter_id for row in await session.execute(closed)}
    if order.reports is not None and found.keys() != order.reports:
        raise ConflictError("decided", _("One of these reports is closed already. Look at the case again."))
    reporters = set(found.values()) - {identity.id, None}
    result = "dismissed" if order.action is ModeratorAction.DISMISS else "acted"
    news = [
        News(
            reporter,
            NewsKind.REPORT_CLOSED,
            str(account.id),
            account.id,
            {"result": "answered" if reporter == account.id else result},
        )
        for reporter in reporters
    ]
    await notify(session, *news)
    return reporters


def _check_moderator(identity: Identity) -> None:
    if not identity.is_moderator:
        raise ForbiddenError("not_a_moderator", _("Only moderators can do this."))


def _place_of(action_id: int) -> str:
    return f"action:{action_id}"


def _choices(account: Account) -> Collection[ModeratorAction]:
    """Return what may be done about an account: little if it looks after the site or plays for it."""
    if identity_of(account).is_moderator or account.computer_level is not None:
        return (ModeratorAction.DISMISS,)
    return tuple(ModeratorAction)


def _check_about_another(identity: Identity, account: Account) -> None:
    """Raise ForbiddenError `not_about_moderators` for what is about the moderator."""
    if account.id == identity.id:
        raise ForbiddenError(
            "not_about_moderators", _("This is about you. Another moderator or an administrator decides it.")
        )


async def _subject(
    session: AsyncSession, identity: Identity, username: str, action: ModeratorAction
) -> Account:
    """Return the account to act on, locked. Raise NotFoundError, ForbiddenError `not_about_moderators`."""
    account = await lock_account(session, (await player(session, username)).id)
    _check_about_another(identity, account)
    if action not in _choices(account):
        raise ForbiddenError(
            "not_about_moderators",
            _(
                "Reports about moderators, administrators and the computers of this site can only be closed. "
                "Tell the operator of the site."
            ),
        )
    return account
