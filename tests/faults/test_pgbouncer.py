"""PgBouncer between the servers and PostgreSQL, with fewer connections than they have."""

import psutil
import pytest

from tests.faults.cluster import PgBouncer, Web
from tests.support.database import fetch

CONNECTIONS = 2


@pytest.fixture
def pooled_url(postgres):
    """Return the URL of the database through PgBouncer."""
    bouncer = PgBouncer(postgres, CONNECTIONS)
    bouncer.start()
    yield bouncer.url
    bouncer.close()


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
            assert {fetch(pooled_url, "SHOW synchronous_commit")[0] for _ in range(20)} == {"on"}
    finally:
        for web in webs:
            web.close()
