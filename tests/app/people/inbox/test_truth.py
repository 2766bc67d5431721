"""What is no longer true is neither listed nor sent: each kind, each end of it, each way to a player."""

import pytest
from sqlalchemy import func, select, update

from app.core.settings import Settings
from app.people.inbox import queries
from app.people.inbox.kinds import Channel, NewsKind, Switch, kinds
from app.people.inbox.models import Delivery
from app.people.inbox.service import notify, set_switches
from app.people.mail.messages import MessageMaker
from app.people.mail.service import queue_digests
from app.people.push.sending import _letter
from tests.support.accounts import id_of
from tests.support.database import execute
from tests.support.news import FACTS, SOLO_PLACE_LOST, end, true_news
from tests.support.players import Program
from tests.support.web_processes import web_processes

SETTINGS = Settings(mail_host="localhost", mail_sender="site@example.com", public_url="https://play.example")
ENDS = [
    (kind, fact, statement)
    for kind, fact in (*FACTS.items(), (NewsKind.PLACE_LOST, SOLO_PLACE_LOST))
    for statement in fact.ended_by
]


def reach(database_url, account_id):
    """Let mail and devices reach an account."""
    execute(
        database_url,
        "INSERT INTO email_addresses (account_id, address, language, unsubscribe_key) "
        "VALUES ($1::bigint, 'wren@example.com', 'en', 'key ' || $1::bigint)",
        account_id,
    )
    execute(
        database_url,
        "INSERT INTO notification_channels (account_id, channel, is_active) "
        "SELECT $1, channel, true FROM unnest(ARRAY['email', 'push']) AS channel",
        account_id,
    )


async def shown(database, account_id):
    """Return how an account would see a notification now: in the list, as a number, and by each channel."""
    async with database.transaction() as session:
        await session.execute(
            update(Delivery).where(Delivery.account_id == account_id).values(due_at=func.now())
        )
        listed = len(await queries.latest(session, account_id, limit=9))
        unread = await queries.count(session, account_id, queries.is_unread())
        sent = {}
        for row in await session.scalars(select(Delivery).where(Delivery.account_id == account_id)):
            if row.channel == Channel.EMAIL:
                drawn = await MessageMaker(SETTINGS).message(session, row, [])
            else:
                drawn = await _letter(session, row, [])
            sent[Channel(row.channel)] = drawn is not None
    return listed, unread, sent


def test_each_kind_that_may_cease_to_be_true_is_tried():
    assert FACTS.keys() == {name for name, kind in kinds().items() if kind.still_true}


@pytest.mark.parametrize(("kind", "fact", "statement"), ENDS)
async def test_what_is_no_longer_true_reaches_nobody(server, database_url, kind, fact, statement):
    reader, actor = (id_of(database_url, Program(server)) for _ in range(2))
    reach(database_url, reader)
    news = true_news(database_url, kind, reader, actor, fact)
    async with web_processes(database_url, 1) as [process]:
        async with process.database.transaction() as session:
            await notify(session, news)
        channels = kinds()[kind].sent.by
        assert await shown(process.database, reader) == (1, 1, dict.fromkeys(channels, True))
        end(database_url, news, statement)
        assert await shown(process.database, reader) == (0, 0, dict.fromkeys(channels, False))


@pytest.mark.parametrize("statement", FACTS[NewsKind.MY_TURN].ended_by)
async def test_a_digest_has_only_turns_that_are_still_to_be_played(server, database_url, statement):
    reader, actor = (id_of(database_url, Program(server)) for _ in range(2))
    reach(database_url, reader)
    news = true_news(database_url, NewsKind.MY_TURN, reader, actor)
    async with web_processes(database_url, 1) as [process]:
        async with process.database.transaction() as session:
            await set_switches(session, reader, Channel.EMAIL, {NewsKind.MY_TURN: Switch.DAILY})
            await set_switches(session, reader, Channel.PUSH, {NewsKind.MY_TURN: Switch.OFF})
            await notify(session, news)
        due = "UPDATE notification_channels SET digest_at = now() WHERE account_id = $1 AND channel = 'email'"
        execute(database_url, due, reader)
        await queue_digests(process.database)
        assert (await shown(process.database, reader))[2] == {Channel.EMAIL: True}
        end(database_url, news, statement)
        assert (await shown(process.database, reader))[2] == {Channel.EMAIL: False}
