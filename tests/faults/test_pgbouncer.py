"""PgBouncer between the servers and PostgreSQL, with fewer connections than they have."""

import contextlib
import subprocess

import asyncpg
import psutil
import pytest

from tests.faults.cluster import Web, needs
from tests.support.database import fetch
from tests.support.server import free_port
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

CONNECTIONS = 2
_CONFIGURATION = """
[databases]
gorrion = host=127.0.0.1 port={postgres} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 200
"""


@pytest.fixture
def pooled_url(postgres, tmp_path):
    """Return the URL of the database through PgBouncer."""
    program, port = needs("pgbouncer", "pgbouncer"), free_port()
    configuration = postgres.data.with_name("pgbouncer.ini")
    configuration.write_text(
        _CONFIGURATION.format(postgres=postgres.port, port=port, connections=CONNECTIONS)
    )
    process = subprocess.Popen([program, "-q", configuration], user=postgres.user, stderr=subprocess.DEVNULL)
    url = f"postgresql://postgres@127.0.0.1:{port}/gorrion"
    try:
        wait_until(lambda: process.poll() is not None or asked(url, "SELECT true"))
        yield url
    finally:
        process.terminate()
        process.wait(10)


def asked(url, query):
    """Return the answer of a pooled connection, None without one."""

    async def ask():
        connection = await asyncpg.connect(url, statement_cache_size=0)
        try:
            return await connection.fetchval(query)
        finally:
            connection.terminate()

    with contextlib.suppress(OSError, asyncpg.PostgresError):
        return run_coroutine(ask())
    return None


def test_servers_work_behind_pgbouncer_in_transaction_mode(postgres, pooled_url, play, tmp_path):
    webs = [
        Web(pooled_url, tmp_path / f"log{number}", database_direct_url=postgres.url) for number in range(2)
    ]
    direct = 2 * len(webs)  # connections for LISTEN and for presence
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE ANY($1)"
    try:
        for web in webs:
            web.start()
        with play(postgres, webs) as load:
            load.play_for(3)
            processes = [child for web in webs for child in psutil.Process(web.process.pid).children()]
            names = [f"gorrion web {process.pid} %" for process in processes]
            assert 0 < fetch(postgres.url, count, names)[0] <= CONNECTIONS + direct
            # No server leaves a setting of its own on a connection that others use.
            assert {asked(pooled_url, "SHOW synchronous_commit") for _ in range(20)} == {"on"}
    finally:
        for web in webs:
            web.close()
