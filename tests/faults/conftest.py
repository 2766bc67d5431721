"""One PostgreSQL for the fault tests, two servers on it, and the load that is played on them."""

import pytest

from tests.faults.cluster import Postgres, Web
from tests.faults.load import Load
from tests.faults.proxies import PROXIES
from tests.faults.scale import TABLES


@pytest.fixture(scope="package")
def postgres(tmp_path_factory):
    """Return a running PostgreSQL that tests may break."""
    postgres = Postgres.create(tmp_path_factory.mktemp("faults"))
    postgres.start()
    yield postgres
    postgres.close()


@pytest.fixture(scope="package")
def started_servers(postgres, tmp_path_factory):
    folder = tmp_path_factory.mktemp("servers")
    servers = [Web(postgres.url, folder / f"log{number}", drain="2") for number in range(2)]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
def servers(started_servers):
    """Return two servers on one database."""
    for server in started_servers:
        server.repair()
    return started_servers


@pytest.fixture(scope="package")
def two_processes(postgres, tmp_path_factory):
    """Return a server with two web processes."""
    server = Web(postgres.url, tmp_path_factory.mktemp("two") / "log", workers=2)
    server.start()
    yield server
    server.close()


@pytest.fixture
def play(record_property):
    """Return a function that lets games be played on servers; the result goes into the long form's table."""

    def start(postgres, sites, **options):
        load = Load(postgres.url, sites, **{"tables": TABLES, **options})
        loads.append(load)
        return load

    loads = []
    yield start
    for load in loads:
        record_property("load", load.summary())


@pytest.fixture(params=PROXIES)
def proxy(request, servers, tmp_path):
    """Return a proxy in front of the two servers."""
    proxy = PROXIES[request.param](tmp_path, servers)
    proxy.start()
    yield proxy
    proxy.close()
