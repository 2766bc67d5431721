"""Messages: each is drawn from one template, as HTML and as text, in its reader's language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.core.i18n.languages import LANGUAGES, SOURCE, reading
from app.core.i18n.text import NO_TEXT, Text, _, ngettext
from app.core.moments import utc_now
from app.core.settings import Settings
from app.core.web.render import fragment
from app.people.identity.audit import Change, source_text
from app.people.identity.models import Account
from app.people.inbox import queries
from app.people.inbox.kinds import Channel, Listed, NewsKind
from app.people.inbox.models import Delivery, NotificationChannel
from app.people.inbox.outbox import text_in
from app.people.mail import undoing
from app.people.mail.links import Purpose, new_link
from app.people.mail.mailboxes import MailKind, ascii_form
from app.people.mail.models import EmailAddress

_MOST_GAMES = 50  # of a digest, or of what was held back
_MOST_ACCOUNTS = 5  # with one address, in one mail
_IS_OPEN = Account.closed_at.is_(None)
_TAKES_MAIL = (_IS_OPEN, EmailAddress.undeliverable_at.is_(None))
_RESET_WITHIN = timedelta(hours=1)  # nobody waits for this mail for longer

_BLOCKS = ("h1", "p", "li", "ul", "hr")
_LEFT_OUT = ("head", "style", "title")


class _OneLine(UnstructuredHeader, BaseHeader):
    """A header that programs read: they would not find an address that was folded or encoded."""

    def fold(self, *, policy: Policy) -> str:
        """Return the line as it is sent, whatever its length."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry(default_class=_OneLine)  # those of words or mailboxes have types of their own
_HEADERS.map_to_type("message-id", _OneLine)
_POLICY = SMTP.clone(header_factory=_HEADERS)


@dataclass(frozen=True, slots=True)
class Link:
    """A line of a mail that leads to a page; `note` is a sentence that may be added."""

    text: Text
    detail: str
    url: str
    note: Text = NO_TEXT


@dataclass(frozen=True, slots=True)
class Reader:
    """Who gets a mail, and in which language; the key is for mails that can be unsubscribed from."""

    address: str
    language: str
    username: str
    account_id: int
    unsubscribe_key: str | None = None


class MessageMaker:
    """The messages of a site."""

    def __init__(self, settings: Settings) -> None:
        assert settings.mail_sender is not None
        assert settings.public_url is not None
        self.sender = settings.mail_sender
        self._site_url = settings.public_url

    async def message(  # noqa: PLR0911 - one for each kind
        self, session: AsyncSession, claimed: Delivery, held: Sequence[Delivery]
    ) -> EmailMessage | None:
        """Return the message of a delivery and of those that were held back for it, or None.

        None means that nobody needs it any more. The links of the message are stored by the session.
        """
        match claimed.kind:
            case MailKind.CONFIRM:
                return await self._confirmation(session, claimed)
            case MailKind.RESET:
                return await self._reset(session, claimed)
            case MailKind.DIGEST:
                return await self._digest(session, claimed)
            case MailKind.TEST:
                return await self._test(session, claimed)
            case MailKind.CLOSED:
                return await self._closing(session, claimed)
            case MailKind.CHANGED | MailKind.ADDRESS_CHANGED:
                return await self._changes(session, claimed, held)
        return await self._notification(session, claimed, held)

    async def _confirmation(self, session: AsyncSession, claimed: Delivery) -> EmailMessage | None:
        reader = await _reader(session, claimed.account_id, _IS_OPEN, address=EmailAddress.unconfirmed)
        if reader is None:
            return None
        token = await new_link(session, reader.account_id, Purpose.CONFIRM, reader.address)
        return self._drawn(
            claimed,
            reader,
            "mail/confirm_address.html",
            _("Confirm your e-mail address"),
            [self._link(_("Confirm this address"), "/email/confirm", token=token)],
        )

    async def _reset(self, session: AsyncSession, claimed: Delivery) -> EmailMessage | None:
        if utc_now() - claimed.created_at > _RESET_WITHIN:
            return None
        is_at = func.lower(EmailAddress.address) == text_in(claimed, "address").lower()
        readers = await _readers(session, is_at, _IS_OPEN)
        if not readers:
            return None
        items = []
        for reader in readers:
            token = await new_link(session, reader.account_id, Purpose.RESET, reader.address)
            text = _("Choose a new password for %(player)s", player=reader.username)
            items.append(self._link(text, "/password/reset", token=token))
        return self._drawn(
            claimed,
            readers[0],
            "mail/reset_password.html",
            _("Choose a new password"),
            items,
        )

    async def _test(self, session: AsyncSession, claimed: Delivery) -> EmailMessage | None:
        reader = await _reader(session, claimed.account_id, _IS_OPEN)
        if reader is None:
            return None
        to_page = self._link(_("Administration"), "/admin/work")
        return self._drawn(claimed, reader, "mail/test.html", _("A test e-mail"), [to_page])

    async def _closing(self, session: AsyncSession, claimed: Delivery) -> EmailMessage | None:
        reader = await _reader(session, claimed.account_id, Account.closed_at.is_not(None))
        if reader is None:
            return None
        token = await new_link(session, reader.account_id, Purpose.APPEAL, reader.address)
        answer = self._link(_("Read the decision and answer it"), "/appeal", token=token)
        return self._drawn(
            claimed,
            reader,
            "mail/account_closed.html",
            _("A moderator has closed your account"),
            [replace(answer, detail=text_in(claimed, "reason"))],
        )

    async def _digest(self, session: AsyncSession, claimed: Delivery) -> EmailMessage | None:
        wants_digests = exists().where(
            NotificationChannel.account_id == Account.id,
            NotificationChannel.channel == Channel.EMAIL,
            NotificationChannel.digest_at.is_not(None),
        )
        reader = await _reader(session, claimed.account_id, *_TAKES_MAIL, wants_digests)
        if reader is None:
            return None
        is_turn = queries.is_of_kind(NewsKind.MY_TURN)
        turns = await queries.latest(session, reader.account_id, is_turn, limit=_MOST_GAMES)
        if len(turns) == 1:
            subject = turns[0].text
        else:
            subject = ngettext("Your turn in %(count)s game", "Your turn in %(count)s games", len(turns))
        return self._news(claimed, reader, NewsKind.MY_TURN, subject, turns)

    async def _changes(
        self, session: AsyncSession, claimed: Delivery, held: Sequence[Delivery]
    ) -> EmailMessage | None:
        account = await session.get(Account, claimed.account_id)
        if account is None:
            return None
        items = [await self._change(session, each) for each in (claimed, *held)]
        subject = ngettext(
            "%(count)s change to your account", "%(count)s changes to your account", len(items)
        )
        if len(items) == 1:
            subject = _("Your account: %(change)s", change=items[0].text)
        language = _known_language(account.preferences.get("language"), claimed.data["language"])
        reader = Reader(claimed.data["address"], language, account.username, account.id)
        return self._drawn(claimed, reader, "mail/account_changed.html", subject, items)

    async def _change(self, session: AsyncSession, claimed: Delivery) -> Link:
        """Return a line about a change, with a link if it can be undone."""
        data = claimed.data
        what = Change(data["change"]).words
        note = _(
            "%(moment)s, from %(source)s.",
            moment=claimed.created_at.astimezone(UTC),
            source=source_text(data["browser"], data["network"]),
        )
        token = await undoing.new_link(session, data["undo"]) if "undo" in data else None
        link = self._link(what, "/email/undo", token=token) if token else Link(what, "", "")
        if data["name"]:
            link = replace(link, text=_("%(event)s: %(detail)s", event=what, detail=data["name"]))
        return replace(link, note=note)

    async def _notification(
        self, session: AsyncSession, claimed: Delivery, held: Sequence[Delivery]
    ) -> EmailMessage | None:
        """Return the mail of notifications, or None if they have been read on the site meanwhile."""
        reader = await _reader(session, claimed.account_id, *_TAKES_MAIL)
        if reader is None:
            return None
        ids = [each.notification_id for each in (claimed, *held) if each.notification_id is not None]
        unread = (queries.is_one_of(ids), queries.is_unread())
        news = await queries.latest(session, reader.account_id, *unread, limit=_MOST_GAMES)
        if not news:
            return None
        subject = ngettext("%(count)s notification", "%(count)s notifications", len(news))
        if len(news) == 1:
            subject = news[0].text
        return self._news(claimed, reader, news[0].kind, subject, news)

    def _news(
        self, claimed: Delivery, reader: Reader, kind: NewsKind, subject: Text, news: Sequence[Listed]
    ) -> EmailMessage | None:
        if not news:
            return None
        items = [Link(item.text, item.detail, self._site_url + item.path, item.when) for item in news]
        unsubscribe = (
            f"{self._site_url}/unsubscribe?{urlencode({'key': reader.unsubscribe_key, 'kind': kind})}"
        )
        message = self._drawn(claimed, reader, "mail/news.html", subject, items, unsubscribe=unsubscribe)
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return message

    def _link(self, text: Text, page: str, **parameters: str) -> Link:
        query = f"?{urlencode(parameters)}" if parameters else ""
        return Link(text, "", f"{self._site_url}{page}{query}")

    def _drawn(
        self,
        claimed: Delivery,
        reader: Reader,
        template: str,
        subject: Text,
        items: Sequence[Link],
        *,
        unsubscribe: str = "",
    ) -> EmailMessage:
        """Return a message with a template's text. Its id is the same each time that it is tried."""
        message = EmailMessage(_POLICY)
        with reading(reader.language):
            html = fragment(
                template,
                subject=subject,
                items=items,
                username=reader.username,
                site_url=self._site_url,
                unsubscribe=unsubscribe,
            )
            message["Subject"] = subject.translated()
        message["From"] = self.sender
        message["To"] = ascii_form(reader.address)
        message["Date"] = format_datetime(utc_now())
        domain = parseaddr(self.sender)[1].partition("@")[2]
        moment = int(claimed.created_at.timestamp())
        message["Message-ID"] = f"<gorrion.{claimed.id}.{moment}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(plain_text(html))
        message.add_alternative(html, subtype="html")
        return message


async def _reader(
    session: AsyncSession,
    account_id: int | None,
    *conditions: ColumnElement[bool],
    address: InstrumentedAttribute[Any] = EmailAddress.address,
) -> Reader | None:
    """Return the owner of an account that meets conditions, and has an address, or None."""
    readers = await _readers(session, Account.id == account_id, *conditions, address=address)
    return readers[0] if readers else None


async def _readers(
    session: AsyncSession,
    *conditions: ColumnElement[bool],
    address: InstrumentedAttribute[Any] = EmailAddress.address,
) -> list[Reader]:
    """Return the owners of accounts that meet conditions, and have an address; not all, if these are many.

    Their language is the one that the account is set to, or in which they entered the address.
    """
    query = select(Account, EmailAddress, address).join(EmailAddress, EmailAddress.account_id == Account.id)
    query = query.where(*conditions, address.is_not(None)).order_by(Account.id).limit(_MOST_ACCOUNTS)
    return [
        Reader(
            known_address,
            _known_language(account.preferences.get("language"), email.language),
            account.username,
            account.id,
            email.unsubscribe_key,
        )
        for account, email, known_address in await session.execute(query)
    ]


def _known_language(*codes: str | None) -> str:
    return next((code for code in codes if code in LANGUAGES), SOURCE)


def plain_text(html: str) -> str:
    """Return the text of a mail: a paragraph for each block, and the address of each link after its text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    paragraphs = (" ".join(text.split()) for text in "".join(reader.parts).split("\0"))
    return "\n\n".join(filter(None, paragraphs)) + "\n"


class _Reader(HTMLParser):
    """Collects text, with a NUL between blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._url = ""
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._url = dict(attrs).get("href") or ""
        self._left_out += tag in _LEFT_OUT
        if tag in _BLOCKS:
            self.parts.append("\0")

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            # The brackets separate it from the punctuation that follows: see appendix C of RFC 3986.
            self.parts.append(f" <{self._url}>")
        self._left_out -= tag in _LEFT_OUT
        if tag in _BLOCKS:
            self.parts.append("\0")

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self.parts.append(re.sub("\0", "", data))
