"""Mail servers that hang, break and are away: a mail puts off no other."""

import asyncio
import secrets
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.settings import Settings
from app.people.inbox import outbox
from app.people.inbox.kinds import Channel
from app.people.mail import sending
from app.people.mail.sending import Mailer
from tests.support.database import execute, fetch, on_database
from tests.support.mail import MailServer, run_at_once

_WAYS = ["hangs at its recipient", "breaks at its recipient", "hangs at its text", "breaks at its text"]


class UnreliableServer(MailServer):
    """A mail server that hangs at mails to some addresses, or breaks the connection."""

    def __init__(self):
        self.ways = {}
        super().__init__()

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):  # noqa: N802
        await self._do(server, self.ways.get(address, ""), "recipient")
        return await super().handle_RCPT(server, session, envelope, address, rcpt_options)

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        await self._do(server, self.ways.get(envelope.rcpt_tos[0], ""), "text")
        return await super().handle_DATA(server, session, envelope)

    async def _do(self, server, way, moment):
        if way == f"hangs at its {moment}":
            await asyncio.sleep(60)
        if way == f"breaks at its {moment}":
            server.transport.abort()


@pytest.fixture(scope="module")
def unreliable():
    server = UnreliableServer()
    yield server
    server.stop()


@pytest.fixture
def short_patience(monkeypatch):
    monkeypatch.setattr(sending, "_TIMEOUT", 1)


@pytest.fixture
def database(new_database):
    """Return the URL of a database from which no server sends mail."""
    return new_database("mail_to_send")


def ask_for(database_url, count):
    """Return the addresses of so many accounts that have asked for a new password."""
    addresses = [f"{secrets.token_hex(6)}@example.com" for _ in range(count)]
    for address in addresses:
        execute(
            database_url,
            "WITH made AS (INSERT INTO accounts (username) VALUES ($2) RETURNING id), known AS ("
            "INSERT INTO email_addresses (account_id, address, language, unsubscribe_key) "
            "SELECT id, $1, 'en', $2 FROM made) "
            "INSERT INTO deliveries (channel, kind, data) "
            "VALUES ('email', 'reset_password', jsonb_build_object('address', $1::text))",
            address,
            address.partition("@")[0],
        )
    return addresses


def send(server, database_url, processes=1):
    configuration = Settings(**server.settings, public_url="http://localhost")
    run_at_once(database_url, lambda database: Mailer(configuration, database).send_due(), processes)


def attempts(database_url, address):
    """Return how often the mail to an address was tried in vain, or None if it was sent."""
    row = fetch(database_url, "SELECT attempts FROM deliveries WHERE data->>'address' = $1", address)
    return row and row[0]


@pytest.mark.parametrize("processes", [1, 2])
@given(ways=st.lists(st.sampled_from(["", "", *_WAYS]), min_size=1, max_size=6))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_other_mails_are_sent(unreliable, database, short_patience, processes, ways):
    execute(database, "DELETE FROM deliveries")
    addresses = ask_for(database, len(ways))
    unreliable.ways = dict(zip(addresses, ways, strict=True))
    send(unreliable, database, processes)
    for address, way in unreliable.ways.items():
        assert way or len(unreliable.to(address)) == 1
        assert attempts(database, address) == (1 if way else None), way


@pytest.mark.parametrize("prepare", ["ANALYZE deliveries", "SELECT 1"])
def test_no_more_is_claimed_than_can_be_sent(database, prepare):
    ask_for(database, 6)
    execute(database, prepare)
    claimed = []

    async def claim(connected):
        claimed.append(len(await outbox.claim(connected, Channel.EMAIL, 2)))

    run_at_once(database, claim, processes=2)
    assert claimed == [2, 2]
    assert fetch(database, "SELECT count(*) FROM deliveries WHERE attempts = 1")[0] == 4


def test_mails_that_were_not_tried_keep_their_attempts(unreliable, database):
    execute(database, "DELETE FROM deliveries")
    addresses = ask_for(database, 6)
    unreliable.stop()
    try:
        for _ in range(3):
            send(unreliable, database)
        assert [attempts(database, address) for address in addresses] == [0] * 6
    finally:
        unreliable.start()
    send(unreliable, database)
    assert [len(unreliable.to(address)) for address in addresses] == [1] * 6


def test_a_mail_that_has_waited_for_days_is_given_up(unreliable, database):
    (address,) = ask_for(database, 1)
    execute(database, "UPDATE deliveries SET created_at = now() - interval '3 days'")
    send(unreliable, database)
    assert unreliable.to(address) == []
    assert attempts(database, address) is None


@pytest.mark.parametrize(("failed", "is_kept"), [(None, True), (47, True), (49, False)])
def test_retries_are_counted_from_the_first_failure(database, failed, is_kept):
    """However long nobody tried: servers may have been shut down."""
    ask_for(database, 1)
    execute(
        database,
        "UPDATE deliveries"
        " SET created_at = now() - interval '9 days', first_failed_at = now() - $1::interval",
        failed and timedelta(hours=failed),
    )

    async def try_in_vain(connected):
        (claimed,) = await outbox.claim(connected, Channel.EMAIL, 1)
        async with connected.transaction() as session:
            await outbox.try_later(session, claimed)

    on_database(database, try_in_vain)
    row = fetch(database, "SELECT first_failed_at FROM deliveries")
    assert (row is not None and row[0] is not None) == is_kept
