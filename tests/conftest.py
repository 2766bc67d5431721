"""One PostgreSQL for the whole run, and for each pytest worker its own database, server and clock."""

import contextlib
import gc
import itertools
import os
from datetime import timedelta
from functools import partial

import pytest
from filelock import FileLock
from hypothesis import settings

from app.core.database.embedded import EmbeddedPostgres
from app.core.database.migrate import upgrade
from app.core.database.session import Database
from tests.support.clock import CLOCK
from tests.support.database import create_database, execute, fetch
from tests.support.effort import cases
from tests.support.example_site import NEVER_SENDS, ExampleSite
from tests.support.players import Program, Visitor, close_clients, keep_clients
from tests.support.ports import free_port
from tests.support.server import compile_searches, start_computer, start_server, wait_for_computer
from tests.support.threads import run_in_thread

# Tests start many processes: compiled files, where they are switched off too, save a second of each start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# httpx reads all certificates for each new client, for 20 ms; these servers speak plain HTTP.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = os.devnull

# No test has a limit of milliseconds, which would measure the machine.
standard = settings.get_profile(settings.get_current_profile_name())
settings.register_profile("ours", standard, deadline=None, max_examples=cases(standard.max_examples))
settings.load_profile("ours")

# Garbage collections would take half of the time that pytest takes to collect the tests.
gc.disable()


def pytest_collection_finish():
    """Leave what collection has made, some hundred thousand objects, out of later garbage collections.

    With Python's threshold these would take a twelfth of the time of pytest.
    """
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


_FIRST = ("faults", "reliability", "security", "browser")
_COMPUTING = ("engine", "project")


def pytest_collection_modifyitems(items):
    """Try a failed test of processes once more, and put four folders first, so that workers begin apart.

    Each begins with its share of the list. Tests of faults and reliability wait most of their time, minutes
    together: one worker does little else, and none is left with a long one in the end. The many short tests
    of security that follow are there for the others in the end. Those of browsers need a core, and begin on
    another worker.
    """
    items.sort(key=lambda item: _place(_folder(item)))
    for item in items:
        # Processes have timing of their own. A test that passes the second time is listed as a rerun.
        if _folder(item) not in _COMPUTING:
            item.add_marker(pytest.mark.flaky(reruns=1))


def _folder(item):
    return item.nodeid.split("/")[1]


def _place(folder):
    return _FIRST.index(folder) if folder in _FIRST else len(_FIRST)


_CLEAR_STATISTICS = """
SELECT pg_clear_relation_stats('public', relname) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""
_SITE_LASTS = timedelta(days=3)  # later its games are over, and its players signed out
_CONNECTIONS = "800"  # of PostgreSQL: many servers of tests share it


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory):
    """Return a folder that all pytest workers of the run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def postgres_url(run_folder):
    """Return the URL of the run's PostgreSQL, which all pytest workers share and the last one stops."""
    postgres = EmbeddedPostgres(run_folder / "data")
    with FileLock(run_folder / "postgres.lock"):
        url = postgres.start()
        if fetch(url, "SELECT current_setting('max_connections')")[0] != _CONNECTIONS:
            execute(url, f"ALTER SYSTEM SET max_connections = {_CONNECTIONS}")
            # Otherwise a process visits one of the many databases every second.
            execute(url, "ALTER SYSTEM SET autovacuum_naptime = '1h'")
            postgres.stop()
            postgres = EmbeddedPostgres(run_folder / "data")
            url = postgres.start()
    yield url
    with FileLock(run_folder / "postgres.lock"):
        postgres.stop()


@pytest.fixture(scope="session")
def once(run_folder):
    """Return a function that lets one pytest worker do something for all of them, and the others wait."""

    def do(name, function):
        done = run_folder / name
        with FileLock(f"{done}.lock"):
            if not done.exists():
                function()
                done.touch()

    return do


@pytest.fixture(scope="session")
def compiled_searches(once):
    """Compile the searches into their cache, which takes ten seconds."""
    once("compiled", compile_searches)


@pytest.fixture(scope="session")
def empty_database(postgres_url):
    """Return a function that creates a database without tables and returns its URL."""
    worker, numbers = os.environ.get("PYTEST_XDIST_WORKER", "main"), itertools.count()

    def create(name, **options):  # a worker may set up the fixture of a module more than once
        return create_database(postgres_url, f"{name}_{worker}_{next(numbers)}", **options)

    return create


@pytest.fixture(scope="session")
def new_database(postgres_url, empty_database, once):
    """Return a function that creates a database with all tables and returns its URL."""

    def migrate():
        url = create_database(postgres_url, "migrated")
        run_in_thread(upgrade, url)
        # Otherwise all plans are made for the few rows of a new site: nothing analyses the tables later.
        execute(url, _CLEAR_STATISTICS)

    once("migrated", migrate)
    return partial(empty_database, template="migrated")


@pytest.fixture(scope="session")
def database_url(new_database):
    """Return the URL of the database that most tests of a pytest worker share."""
    return new_database("tests")


@pytest.fixture
def pool_size():
    """Return how many connections each pool of `database` may have."""
    return 4


@pytest.fixture
async def database(database_url, pool_size):
    """Return the application's connections to the database."""
    async with Database.opened(database_url, pool_size=pool_size) as database:
        yield database


@pytest.fixture(scope="session")
def server(database_url, tmp_path_factory):
    """Return a running server without rate limits."""
    server = start_server(database_url, log=tmp_path_factory.mktemp("server") / "log")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def two_workers(new_database):
    """Return a running server with two web processes, with its own database.

    Each process decides what is due in the games of its database, and only its own bus hears of it.
    """
    server = start_server(new_database("two_workers"), workers=2)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def server_with_computer(new_database, compiled_searches):
    """Return a running server on which computers play, with its own database."""
    url = new_database("computers")
    server, worker = start_server(url, bus="postgres"), start_computer(url)
    wait_for_computer(server)
    yield server
    worker.kill()
    worker.wait()
    server.stop()


@pytest.fixture(scope="session")
def current_example_site(new_database):
    """Return a function that returns an example site, a new one if the clock has moved by days since."""
    with contextlib.ExitStack() as stack:
        made_at, site = CLOCK.moved, None

        def current():
            nonlocal made_at, site
            if site is None or CLOCK.moved - made_at > _SITE_LASTS:
                stack.close()
                url, port = new_database("example_site"), free_port()
                server = start_server(url, port=port, public_url=f"http://localhost:{port}", **NEVER_SENDS)
                stack.callback(server.stop)
                made_at, site = CLOCK.moved, ExampleSite(server, url)
                stack.enter_context(keep_clients())
            return site

        yield current


@pytest.fixture(scope="module")
def example_site(current_example_site):
    """Return a site with something to show on each of its pages, with its own database."""
    return current_example_site()


@pytest.fixture
def clock():
    """Return the clock of all servers and databases of this pytest worker."""
    return CLOCK


@pytest.fixture
def program(server):
    """Return a program that plays."""
    return Program(server)


@pytest.fixture
def other(server):
    """Return a second program."""
    return Program(server)


@pytest.fixture
def visitor(server):
    """Return a browser without scripts whose user has no account yet."""
    return Visitor(server)


@pytest.fixture(autouse=True)
def _closed_clients():
    yield
    close_clients()
