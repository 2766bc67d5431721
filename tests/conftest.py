"""One PostgreSQL for the whole run, and for each worker of it a database and a server of its own."""

import os
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest
from filelock import FileLock
from sqlalchemy import make_url

from app.database.embedded import EmbeddedPostgres
from app.database.migrate import upgrade
from tests.support.players import close_clients
from tests.support.server import start_server


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory):
    """Give the URL of the run's PostgreSQL, which all workers share and the last one stops."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    postgres = EmbeddedPostgres(shared / "data")
    with FileLock(shared / "postgres.lock"):
        url = postgres.start()
    yield url
    with FileLock(shared / "postgres.lock"):
        postgres.stop()


@pytest.fixture(scope="session")
def new_database(postgres_url):
    """Give a function that makes an empty database and gives its URL."""
    import asyncio

    async def create(name):
        connection = await asyncpg.connect(postgres_url)
        await connection.execute(f'CREATE DATABASE "{name}"')
        await connection.close()

    def make(name):
        name = f"{name}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
        # Playwright's loop may run in this thread already.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, create(name)).result()
        return make_url(postgres_url).set(database=name).render_as_string(hide_password=False)

    return make


@pytest.fixture(scope="session")
def database_url(new_database):
    """Give the URL of a migrated database."""
    url = new_database("tests")
    upgrade(url)
    return url


@pytest.fixture(scope="session")
def server(database_url):
    """Give a running server with the rate limits lifted."""
    server = start_server(database_url)
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _closed_clients():
    yield
    close_clients()
