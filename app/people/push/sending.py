"""Sending notifications to devices by Web Push."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.session import Database
from app.core.errors import InvalidError
from app.core.i18n.languages import LANGUAGES, reading
from app.core.i18n.text import ngettext
from app.core.later import Later
from app.core.moments import now, utc_now
from app.core.settings import Settings
from app.people.identity.models import Account
from app.people.inbox import outbox
from app.people.inbox import queries as inbox
from app.people.inbox.kinds import Channel, Listed, NewsKind, kinds
from app.people.inbox.models import Delivery
from app.people.inbox.outbox import OverBudgetError
from app.people.push.endpoints import check_endpoint, client
from app.people.push.models import PushDevice
from app.people.push.service import Push, ServerKey, devices_of, remove

if TYPE_CHECKING:
    import aiohttp
    import pywebpush
else:
    aiohttp, pywebpush = map(Later, ("aiohttp", "pywebpush"))

log = structlog.get_logger()

_AT_ONCE = 20  # deliveries: all together take no longer than the slowest push service
_KEPT_FOR = timedelta(days=1)
"""How long push services keep messages for devices that are off, unless what they say is past earlier."""
_PROOF_LASTS = 12 * 60 * 60  # seconds, for which the server's signature is valid
_GONE = (404, 410)
_LATER = (408, 429)


class _Outcome(Enum):
    SENT = auto()
    GONE = auto()  # the device wants no more
    REFUSED = auto()  # this message will never be taken
    FAILED = auto()  # it may be taken later


@dataclass(frozen=True, slots=True)
class _Letter:
    """A notification with the number of games that wait for its reader, and the devices that it is for.

    `others` counts the notifications that were held back and are not shown by themselves.
    `language` is the one that the account is set to, or None: then each device gets the one of its pages.
    """

    news: Listed
    others: int
    turns: int
    language: str | None
    devices: Sequence[PushDevice]


class Pusher:
    """Sends what is due. Any number of processes may do so at a time."""

    def __init__(self, settings: Settings, database: Database, push: Push) -> None:
        self._settings = settings
        self._database = database
        self._push = push
        self._subject = _subject(settings)

    async def send_due(self) -> None:
        """Send everything that is due; what cannot be sent now is tried again later."""
        claimed = await outbox.claim(self._database, Channel.PUSH, _AT_ONCE)
        if not claimed:
            return
        async with client(self._settings) as http:
            while claimed:
                await asyncio.gather(*(self._send_or_log(http, each) for each in claimed))
                claimed = await outbox.claim(self._database, Channel.PUSH, _AT_ONCE)

    async def _send_or_log(self, http: "aiohttp.ClientSession", claimed: Delivery) -> None:
        """Send one notification; a bug that concerns only this one must not hold up the others."""
        try:
            await self._send(http, claimed)
        except Exception:
            log.exception("push_failed", kind=claimed.kind, account=claimed.account_id)
            async with self._database.transaction() as session:
                await outbox.try_later(session, claimed)

    async def _send(self, http: "aiohttp.ClientSession", claimed: Delivery) -> None:
        """Send a notification to all devices that have not taken it yet."""
        try:
            async with self._database.transaction() as session:
                held = await outbox.gather(session, claimed)
                letter = await _letter(session, claimed, held)
                if letter is not None:
                    most = kinds()[letter.news.kind].sent.by[Channel.PUSH].most_an_hour
                    await outbox.spend(session, claimed, f"account {claimed.account_id}", most)
        except OverBudgetError as error:
            await outbox.hold(self._database, claimed, error.until)
            return
        if letter is None:
            outcomes: dict[int, _Outcome] = {}
        else:
            key = await self._push.key()
            sending = (self._post(http, key, device, letter) for device in letter.devices)
            outcomes = dict(
                zip((device.id for device in letter.devices), await asyncio.gather(*sending), strict=True)
            )
        gone = [device for device, outcome in outcomes.items() if outcome is _Outcome.GONE]
        async with self._database.transaction() as session:
            if gone:
                await remove(session, PushDevice.id.in_(gone))
            if _Outcome.FAILED in outcomes.values():
                taken = [device for device, outcome in outcomes.items() if outcome is not _Outcome.FAILED]
                if taken:
                    for each in (claimed, *held):
                        await _note_taken(session, each, taken)
                await outbox.try_later(session, claimed)
            else:
                await outbox.finish(session, claimed, *held)

    async def _post(
        self, http: "aiohttp.ClientSession", key: ServerKey, device: PushDevice, letter: _Letter
    ) -> _Outcome:
        try:
            check_endpoint(device.endpoint, self._settings)
        except InvalidError:  # the device is older than the rule that refuses its address now
            return _Outcome.GONE
        body, headers = await asyncio.to_thread(self._encrypted, key, device, letter)
        try:
            async with http.post(device.endpoint, data=body, headers=headers, allow_redirects=False) as reply:
                status = reply.status
        except (aiohttp.ClientError, OSError, ValueError) as error:
            status, reason = 0, type(error).__name__
        else:
            reason = ""
        outcome = _outcome(status)
        service = urlsplit(device.endpoint).hostname
        log.info("push", outcome=outcome.name.lower(), status=status, service=service, reason=reason)
        return outcome

    def _encrypted(self, key: ServerKey, device: PushDevice, letter: _Letter) -> tuple[bytes, dict[str, str]]:
        keys = {"p256dh": device.p256dh, "auth": device.auth}
        pusher = pywebpush.WebPusher({"endpoint": device.endpoint, "keys": keys})
        encoded = pusher.encode(json.encode(_shown(letter, letter.language or device.language)))
        service = urlsplit(device.endpoint)
        signed = key.vapid.sign(
            {
                "aud": f"{service.scheme}://{service.netloc}",
                "sub": self._subject,
                "exp": now() // 1000 + _PROOF_LASTS,
            }
        )
        about = hashlib.sha256(_tag(letter.news).encode()).hexdigest()
        return encoded["body"], {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(_rest(letter.news).total_seconds())),
            "Topic": about[:32],  # replaces an earlier message about the same that waits
        }


def _subject(settings: Settings) -> str:
    """Return where push services reach the operators, by mail or https as RFC 8292 wants it."""
    for address in (settings.contact, settings.public_url):
        if address is not None and address.startswith(("mailto:", "https://")):
            return address
    return "mailto:nobody@localhost"


async def _letter(session: AsyncSession, claimed: Delivery, held: Sequence[Delivery]) -> _Letter | None:
    """Return what to send, or None if it was read meanwhile, is past, or nobody gets it any more."""
    if claimed.account_id is None:
        return None
    account = await session.get_one(Account, claimed.account_id)
    ids = [each.notification_id for each in (claimed, *held) if each.notification_id is not None]
    news = await inbox.latest(session, account.id, inbox.is_one_of(ids), inbox.is_unread(), limit=len(ids))
    news = [item for item in news if _rest(item) > timedelta()]
    if not news or account.closed_at is not None:
        return None
    turns = await inbox.count(session, account.id, inbox.is_of_kind(NewsKind.MY_TURN))
    taken = claimed.data.get("taken", [])
    devices = await devices_of(session, account.id)
    chosen = account.preferences.get("language")
    language = chosen if chosen in LANGUAGES else None
    left = [device for device in devices if device.id not in taken]
    return _Letter(news[0], len(news) - 1, turns, language, left)


async def _note_taken(session: AsyncSession, claimed: Delivery, devices: Sequence[int]) -> None:
    """Store which devices need not be tried again."""
    taken = [*claimed.data.get("taken", []), *devices]
    await session.execute(
        update(Delivery).where(Delivery.id == claimed.id).values(data={**claimed.data, "taken": taken})
    )


def _shown(letter: _Letter, language: str) -> dict[str, Any]:
    """Return what the service worker shows of a notification."""
    news = letter.news
    with reading(language):
        title = news.text.translated()
        body = ", ".join(filter(None, (news.detail, _more(letter.others))))
    return {"title": title, "body": body, "url": news.path, "tag": _tag(news), "turns": letter.turns}


def _more(others: int) -> str:
    if not others:
        return ""
    return ngettext("%(count)s more notification", "%(count)s more notifications", others).translated()


def _rest(news: Listed) -> timedelta:
    """Return how long a notification is of use to its reader, but no more than push services keep it."""
    if news.moment is None:
        return _KEPT_FOR
    return max(timedelta(), min(_KEPT_FOR, news.moment - utc_now()))


def _tag(news: Listed) -> str:
    return f"{news.kind}:{news.subject}"


def _outcome(status: int) -> _Outcome:
    if 200 <= status < 300:
        return _Outcome.SENT
    if status in _GONE:
        return _Outcome.GONE
    return _Outcome.REFUSED if 300 <= status < 500 and status not in _LATER else _Outcome.FAILED
