"""A server as players reach it over https."""

import pytest

from tests.support.server import start_server


@pytest.fixture(scope="package")
def secure(database_url):
    """Return a server with limits and an https address, whose proxy is on another machine."""
    server = start_server(
        database_url, public_url="https://play.example", throttle="on", trusted_proxies="192.0.2.1"
    )
    yield server
    server.stop()
