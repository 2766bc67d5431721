"""A site that sends mail, with a mail server and a database of its own."""

import secrets

import pytest

from tests.support.accounts import give_address, id_of
from tests.support.database import execute
from tests.support.mail import MailServer, send_due
from tests.support.players import Program
from tests.support.ports import free_port
from tests.support.server import start_server


@pytest.fixture(scope="package")
def mail_server():
    """Return the mail server of the site."""
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def mail_database(new_database):
    """Return the URL of the site's database."""
    return new_database("mail")


@pytest.fixture(scope="package")
def site(mail_server, mail_database, tmp_path_factory):
    """Return a site that sends mail."""
    port = free_port()
    server = start_server(
        mail_database,
        port=port,
        log=tmp_path_factory.mktemp("mail") / "log",
        public_url=f"http://localhost:{port}",
        **mail_server.settings,
    )
    yield server
    server.stop()


@pytest.fixture
def send(mail_server, site, mail_database):
    """Return a function that sends what is due, instead of waiting for the site's schedule."""
    return lambda processes=1: send_due(mail_server, site, mail_database, processes)


@pytest.fixture
def reader(site, mail_database):
    """Return a function that makes a program with a confirmed address, in `program.address`."""

    def make(language="en"):
        program = Program(site)
        program.address = f"{secrets.token_hex(6)}@example.com"
        give_address(mail_database, program, program.address, language)
        execute(
            mail_database,
            "INSERT INTO notification_channels (account_id, channel, is_active) VALUES ($1, 'email', true)",
            id_of(mail_database, program),
        )
        return program

    return make
