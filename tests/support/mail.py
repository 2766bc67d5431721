"""A mail server that keeps what it gets, and sending what a site has to send."""

import asyncio
import contextlib
import email
import email.policy
import re
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller

from app.core.database.session import Database
from app.core.settings import Settings
from app.people.mail.sending import Mailer
from tests.support.ports import free_port
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

OF_WORDS = (b"subject", b"from", b"to")


def check_lines(content):
    """Check that programs find what they read in a message: parsers decode what they need not understand."""
    head, _, body = content.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert max(map(len, (*lines, *body.split(b"\r\n")))) <= 998
    head.decode("ascii")
    for line in lines:
        name, colon, _ = line.partition(b":")
        if name.lower() not in OF_WORDS and line[:1] not in b" \t":
            assert b"=?" not in line, line
            assert colon
        if name.lower().startswith(b"list-unsubscribe"):
            assert re.fullmatch(rb"\S+: (<https?://\S+>|List-Unsubscribe=One-Click)", line), line


class MailServer:
    """An SMTP server. It answers `refusals[address]` to mail to an address, such as "550 No such user"."""

    def __init__(self):
        self.port = free_port()
        self.messages = []
        self.refusals = {}
        self.start()

    def start(self):
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self):
        self._controller.stop()

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):  # noqa: N802
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert envelope.rcpt_tos == [message["To"]]
        check_lines(envelope.content)
        self.messages.append(message)
        return "250 OK"

    def to(self, address):
        """Return the messages to an address, the oldest first."""
        return [message for message in self.messages if message["To"] == address]

    def next_to(self, address, number=1):
        """Return the message to an address that is its `number`th, as soon as it comes."""
        return wait_until(lambda: self.to(address)[number - 1 :])[0]

    @property
    def settings(self):
        """Return the settings of a site that sends by this server."""
        return {
            "mail_host": "127.0.0.1",
            "mail_port": str(self.port),
            "mail_tls": "off",
            "mail_sender": "Gorrion <noreply@example.com>",
        }


def run_at_once(database_url, job, processes):
    """Run a job of the schedule on a database in so many processes at the same time."""

    async def run():
        async with contextlib.AsyncExitStack() as stack:
            opened = [Database.opened(database_url, pool_size=2) for _ in range(processes)]
            databases = [await stack.enter_async_context(each) for each in opened]
            async with asyncio.TaskGroup() as group:
                for database in databases:
                    group.create_task(job(database))

    run_coroutine(run())


def send_due(mail_server, server, database_url, processes=1):
    """Send what is due, as so many processes do at the same time."""
    settings = Settings(**mail_server.settings, public_url=server.url)
    run_at_once(database_url, lambda database: Mailer(settings, database).send_due(), processes)


def text_of(message):
    return message.get_body(("plain",)).get_content()


def html_of(message):
    return message.get_body(("html",)).get_content()


def links_of(message):
    """Return the paths, with their queries, of the links in the text of a message."""
    urls = re.findall(r"<(https?://[^>\s]+)>", text_of(message))
    return [url.removeprefix("{0.scheme}://{0.netloc}".format(urlsplit(url))) for url in urls]
