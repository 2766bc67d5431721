"""Reads of reports, of what was said around reported texts, and of the log of moderation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from sqlalchemy import ColumnElement, Select, exists, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app.core.database.unreadable import UnreadableRow, readable_page
from app.core.i18n.text import Text, _
from app.core.web import shown
from app.core.web.shown import Hidden, Username, example
from app.people.identity.audit import Action, Change
from app.people.identity.models import Account, Device, SecurityEvent
from app.play.chat.models import ChatMessage
from app.play.chat.rooms import GREETINGS
from app.site.messages.models import PrivateMessage
from app.site.moderation.kinds import ModeratorAction, Reason
from app.site.moderation.models import ModerationAction, Report
from app.site.moderation.places import Place, parse

_Moderator = aliased(Account)
_Reporter = aliased(Account)
_Guest = aliased(Account)

_REMOVED = _("removed by a moderator")
_AROUND = 10  # texts before, and after
_COMING_IN = (Action.REGISTERED, Action.LOGGED_IN, Change.TOKEN_CREATED)
_PLACES = {
    ModeratorAction.VOID_GAME: "game:",
    ModeratorAction.WITHDRAW_ENTRY: "entry:",
    ModeratorAction.CLOSE_TEAM: "team:",
}


@dataclass(frozen=True, slots=True)
class ReportShown:
    """An open report. `reporter` is null if the server made it; `quote` is the text that it is about."""

    id: int
    username: Username
    reporter: Username | None
    reason: Annotated[str, example("abuse")]
    place: Annotated[str, example("game:k7m2wq9xab")]
    url: Annotated[str, example("/games/k7m2wq9xab")] | None
    text: Annotated[str, example("In the chat.")]
    quote: shown.Text
    at: datetime
    is_open: Hidden[bool]

    @property
    def reason_text(self) -> Text:
        """Return the reason in words."""
        return Reason(self.reason).words

    @property
    def place_text(self) -> str | Text:
        """Return what it is about: a line of chat, a game. A place of an unknown form is shown as it is."""
        place = parse(self.place)
        return (place and place.noun) or self.place


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """What a moderator decided about the account, and whether it may still answer."""

    id: int
    action: Annotated[str, example("mute")]
    reason: Annotated[str, example("Insults in the chat")]
    details: Annotated[dict[str, Any], example({"until": "2026-11-28T12:00:00+00:00"})]
    at: datetime
    may_answer: bool


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """A line of the log of moderation, with the names that its reader may know."""

    action: ModerationAction | DecisionShown
    username: str = ""
    moderator: str = ""

    @property
    def label(self) -> Text:
        """Return what was done."""
        _choice, done = ModeratorAction(self.action.action).texts
        return done

    @property
    def detail(self) -> str | Text:
        """Return what more is known of it: "robin → player-7", "Line of chat"."""
        details = self.action.details
        if "to" in details:
            return f"{details['from']} → {details['to']}"
        subject = str(details.get("subject", ""))
        place = parse(subject)
        return (place and place.noun) or subject

    @property
    def until(self) -> datetime | None:
        """Return the end of a restriction."""
        until = self.action.details.get("until")
        return datetime.fromisoformat(until) if until else None

    @property
    def url(self) -> str | None:
        """Return the address of the page that it is about."""
        kind = _PLACES.get(ModeratorAction(self.action.action), "")
        place = parse(kind + self.action.details.get("subject", ""))
        return place.url if place else None


@dataclass(frozen=True, slots=True)
class ReportList:
    """The open reports, the latest first; `older` is the `before` of the next page, null on the last one."""

    reports: Sequence[ReportShown]
    older: Annotated[int, example(4711)] | None


async def reports(
    session: AsyncSession, *conditions: ColumnElement[bool], limit: int
) -> tuple[list[ReportShown], bool]:
    """Return some reports, the open ones first, then the latest, and whether there are more."""
    rows = await session.execute(
        select(Report, Account.username, _Reporter.username)
        .join(Account, Account.id == Report.account_id)
        .outerjoin(_Reporter, _Reporter.id == Report.reporter_id)
        .where(*conditions)
        .order_by(Report.closed_at.is_not(None), Report.id.desc())
        .limit(limit + 1)
    )
    return readable_page(_report, rows.all(), limit)


def _report(row: Report, username: str, reporter: str | None) -> ReportShown:
    place = parse(row.place)
    return ReportShown(
        id=row.id,
        username=username,
        reporter=reporter,
        reason=Reason(row.reason),
        place=row.place,
        url=place.url_of_moderators if place and is_shown(place, row.quote) else None,
        text=row.text,
        quote=row.quote,
        at=row.reported_at,
        is_open=row.closed_at is None,
    )


async def unreadable(session: AsyncSession, limit: int) -> Sequence[UnreadableRow]:
    """Return the stored rows that cannot be read, the latest first."""
    rows = await session.scalars(
        select(UnreadableRow).order_by(UnreadableRow.first_seen_at.desc(), UnreadableRow.id).limit(limit)
    )
    return rows.all()


class ReportSource(StrEnum):
    """Who made reports: anybody can be as many guests as they like, so theirs are read apart."""

    ALL = "all"
    GUESTS = "guests"
    OTHERS = "others"


def is_open() -> ColumnElement[bool]:
    """Return the condition that no moderator has dealt with a report."""
    return Report.closed_at.is_(None)


def is_for(reader_id: int) -> ColumnElement[bool]:
    """Return the condition that a moderator may read a report: it is about somebody else."""
    return Report.account_id != reader_id


def is_wanted(reader_id: int, source: ReportSource) -> ColumnElement[bool]:
    """Return the condition that a report from a source is open for a moderator; the server is no guest."""
    by_guest = exists().where(_Guest.id == Report.reporter_id, _Guest.password_hash.is_(None))
    is_from = {ReportSource.ALL: true(), ReportSource.GUESTS: by_guest, ReportSource.OTHERS: ~by_guest}
    return is_open() & is_for(reader_id) & is_from[source]


async def count_open(session: AsyncSession, reader_id: int, source: ReportSource) -> int:
    """Return the number of open reports from a source for a moderator."""
    return await session.scalar(select(func.count()).where(is_wanted(reader_id, source))) or 0


@dataclass(frozen=True, slots=True)
class Company:
    """How many other accounts have logged in in a browser, or from a network, of an account."""

    browsers: int
    networks: int


async def company(session: AsyncSession, account_id: int) -> Company:
    """Return how many other accounts share a browser or a network with an account, and not which.

    Networks are those from which somebody came in: anybody may fail at the password of an account.
    """
    devices, events = aliased(Device), aliased(SecurityEvent)
    browsers = select(func.count(Device.account_id.distinct())).where(
        Device.account_id != account_id,
        Device.token_hash.in_(select(devices.token_hash).where(devices.account_id == account_id)),
    )
    networks = select(func.count(SecurityEvent.account_id.distinct())).where(
        SecurityEvent.account_id != account_id,
        SecurityEvent.action.in_(_COMING_IN),
        SecurityEvent.network.in_(
            select(events.network).where(
                events.account_id == account_id, events.action.in_(_COMING_IN), events.network != ""
            )
        ),
    )
    row = await session.execute(select(browsers.scalar_subquery(), networks.scalar_subquery()))
    return Company(*row.one())


def count_open_of(reporter_id: int) -> Select[int]:
    """Return the query for the number of open reports by an account about others."""
    is_theirs = Report.reporter_id == reporter_id, Report.account_id != reporter_id
    return select(func.count()).where(*is_theirs, is_open())


async def actions(
    session: AsyncSession, *conditions: ColumnElement[bool], limit: int
) -> Sequence[LoggedAction]:
    """Return lines of the log that meet some conditions, the latest first."""
    query = (
        select(ModerationAction, Account.username, _Moderator.username)
        .join(Account, Account.id == ModerationAction.account_id)
        .join(_Moderator, _Moderator.id == ModerationAction.moderator_id)
        .where(*conditions)
        .order_by(ModerationAction.id.desc())
        .limit(limit)
    )
    return [LoggedAction(*row) for row in (await session.execute(query))]


async def last_action(session: AsyncSession, account_id: int) -> int:
    """Return the id of the last action about an account, 0 without any."""
    query = select(func.max(ModerationAction.id)).where(ModerationAction.account_id == account_id)
    return await session.scalar(query) or 0


async def closing(session: AsyncSession, account: Account) -> ModerationAction | None:
    """Return the action by which a moderator closed an account, or None if that was lifted or never done.

    Its owner may have closed it before.
    """
    if account.closed_at is None:
        return None
    opposites = (ModeratorAction.CLOSE, ModeratorAction.LIFT)
    last: ModerationAction | None = await session.scalar(
        select(ModerationAction)
        .where(ModerationAction.account_id == account.id, ModerationAction.action.in_(opposites))
        .order_by(ModerationAction.id.desc())
        .limit(1)
    )
    return last if last and last.action == ModeratorAction.CLOSE else None


async def answered(session: AsyncSession, account_id: int) -> frozenset[str]:
    """Return the places of the actions that an account has answered."""
    query = select(Report.place).where(Report.reporter_id == account_id, Report.account_id == account_id)
    return frozenset(await session.scalars(query))


@dataclass(frozen=True, slots=True)
class Remark:
    """A text with its author; `is_reported` marks the one that it is about."""

    username: str
    text: str | Text
    at: datetime
    is_reported: bool


@dataclass(frozen=True, slots=True)
class Context:
    """The texts around a reported one, the oldest first, with the game, tournament or team of a chat."""

    said: Sequence[Remark]
    game_id: str | None = None
    tournament_id: str | None = None
    team_id: str | None = None


_CONVERSATIONS = ("chat", "message")
"""The kinds of places around which something was said."""


def is_shown(place: Place, quote: str) -> bool:
    """Return whether the page of a reported place is shown to moderators.

    That of a conversation is if the report quotes a text there, so the player wrote it and the reporter may
    read it: nobody opens conversations of others to moderators.
    """
    return quote != "" or place.kind not in _CONVERSATIONS


async def said_around(session: AsyncSession, reports: Iterable[ReportShown]) -> dict[int, Context]:
    """Return what was said around the texts that reports quote, by the ids of the reports."""
    found = {}
    for report in reports:
        place = parse(report.place)
        if place and place.kind in _CONVERSATIONS and is_shown(place, report.quote):
            said = await _around(session, place)
            if said is not None:
                found[report.id] = said
    return found


async def context(session: AsyncSession, place: Place, reader_id: int) -> Context | None:
    """Return what was said around a line of chat or a message that a report for a reader quotes, or None.

    It does not matter what became of the report.
    """
    quotes_it = Report.place == str(place), Report.quote != "", is_for(reader_id)
    is_quoted = await session.scalar(select(exists().where(*quotes_it)))
    return await _around(session, place) if is_quoted else None


async def _around(session: AsyncSession, place: Place) -> Context | None:
    read = _of_chat if place.kind == "chat" else _of_message
    return await read(session, int(place.name))


async def _of_chat(session: AsyncSession, chat_id: int) -> Context | None:
    line = await session.get(ChatMessage, chat_id)
    if line is None:
        return None
    is_there = (
        ChatMessage.game_id.is_not_distinct_from(line.game_id)
        & ChatMessage.tournament_id.is_not_distinct_from(line.tournament_id)
        & ChatMessage.team_id.is_not_distinct_from(line.team_id)
        & (ChatMessage.room == line.room)
    )
    rows = await _nearest(session, ChatMessage.id, ChatMessage.account_id, chat_id, is_there)
    return Context(
        [Remark(username, _said(row), row.at, row.id == chat_id) for row, username in rows],
        line.game_id,
        line.tournament_id,
        line.team_id,
    )


def _said(line: ChatMessage) -> str | Text:
    return GREETINGS[line.greeting] if line.greeting else line.text or _REMOVED


async def _of_message(session: AsyncSession, message_id: int) -> Context | None:
    message = await session.get(PrivateMessage, message_id)
    if message is None:
        return None
    both = (message.author_id, message.reader_id)
    is_there = PrivateMessage.author_id.in_(both) & PrivateMessage.reader_id.in_(both)
    rows = await _nearest(session, PrivateMessage.id, PrivateMessage.author_id, message_id, is_there)
    return Context(
        [Remark(username, row.text or _REMOVED, row.at, row.id == message_id) for row, username in rows]
    )


async def _nearest(
    session: AsyncSession,
    id_: InstrumentedAttribute[int],
    author: InstrumentedAttribute[int],
    reported: int,
    is_there: ColumnElement[bool],
) -> Sequence[Any]:
    """Return the rows in the same room or thread around one of them, with the names of their authors."""
    before = select(id_).where(is_there, id_ < reported).order_by(id_.desc()).limit(_AROUND)
    after = select(id_).where(is_there, id_ >= reported).order_by(id_).limit(_AROUND + 1)
    rows = await session.execute(
        select(id_.class_, Account.username)
        .join(Account, Account.id == author)
        .where(or_(id_.in_(before), id_.in_(after)))
        .order_by(id_)
    )
    return rows.all()
