"""Everything that is measured for Prometheus, and the port on which each process serves its figures."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from wsgiref.simple_server import WSGIServer

import structlog
from prometheus_client import (
    REGISTRY,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from app.core.errors import OperatorError
from app.core.setting_types import HIGHEST_PORT

log = structlog.get_logger()

_MOST_PROCESSES = 100  # on one machine
_READ_WITHIN = 2.0  # seconds

# They double the lines, and nothing here needs them.
disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Counter("gorrion_requests", "Requests, by route and status.", ["route", "status"])
REQUEST_SECONDS = Histogram(
    "gorrion_request_seconds",
    "Seconds until the response to a request has been sent.",
    ["route"],
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
RATE_LIMITED = Counter("gorrion_rate_limited", "Actions refused by a rate limit.", ["limit"])

MOVES = Counter("gorrion_moves", "Moves committed, those that the server plays included.")
COMMIT_SIZE = Histogram(
    "gorrion_commit_size", "Steps of games committed together.", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500)
)
COMMIT_SECONDS = Histogram(
    "gorrion_commit_seconds",
    "Seconds to commit a batch of steps and to hand them on.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
STEPS_WAITING = Gauge("gorrion_steps_waiting", "Steps of games that wait for the next commit, or for a lock.")
FLAG_SECONDS = Histogram(
    "gorrion_flag_seconds",
    "Seconds from the deadline of a clock to the end of its game; late moves are awaited for 0.1 s of them.",
    buckets=(0.11, 0.125, 0.15, 0.2, 0.3, 0.5, 1, 2, 5),
)

CONNECTIONS = Gauge("gorrion_connections", "Open websockets and streams, by kind.", ["kind"])
DROPPED = Counter("gorrion_dropped", "Connections that the server refused or ended, by reason.", ["reason"])

VALKEY_CONNECTED = Gauge("gorrion_valkey_connected", "Whether the process is connected to Valkey: 1 or 0.")

JOBS = Counter("gorrion_jobs", "Jobs by kind and outcome (done, failed, given_up).", ["kind", "outcome"])
POOL_SECONDS = Histogram(
    "gorrion_pool_seconds",
    "Seconds to get a database connection from a pool (moves, pages).",
    ["pool"],
    buckets=(0.0001, 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30),
)
UNREADABLE_ROWS = Gauge(
    "gorrion_unreadable_rows",
    "Stored rows that cannot be read, by table; the same in every process.",
    ["kind"],
)
REPLICA_SECONDS = Gauge("gorrion_replica_seconds", "How far the replica of the database is behind at most.")


CountJobs = Callable[[], Coroutine[object, object, Mapping[str, int]]]
"""Returns how many jobs of each kind wait."""


def check_address(host: str, port: int | None) -> None:
    """Raise OperatorError if processes of this machine cannot serve their metrics there."""
    if port is None:
        return
    try:
        [(family, kind, _, _, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, kind) as bound:
            bound.bind(address)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:  # then a process takes the next one
            raise OperatorError(
                f"The server cannot serve metrics on {host}, port {port}: {error.strerror}."
                " Correct GORRION_METRICS_HOST, or GORRION_METRICS_PORT."
            ) from error


@contextlib.asynccontextmanager
async def served(host: str, port: int | None, count_jobs: CountJobs) -> AsyncIterator[None]:
    """Serve the metrics of this process within the context, unless `port` is None.

    The processes of a machine take `port` and those after it, in the order in which they start; one that
    replaces another takes its port. A process goes on without metrics if it cannot serve them.
    """
    server = None if port is None else _start(host, port)
    if server is None:
        yield
        return
    backlog = _Backlog(count_jobs)
    REGISTRY.register(backlog)
    try:
        yield
    finally:
        REGISTRY.unregister(backlog)
        await asyncio.to_thread(server.shutdown)
        server.server_close()


def _start(host: str, first: int) -> WSGIServer | None:
    reason: OSError | None = None
    for port in range(first, min(first + _MOST_PROCESSES, HIGHEST_PORT + 1)):
        try:
            server, _ = start_http_server(port, host)
        except OSError as error:
            reason = error
            if error.errno != errno.EADDRINUSE:
                break
        else:
            log.info("metrics_served", host=host, port=port)
            return server
    log.error("metrics_not_served", host=host, port=first, error=repr(reason))
    return None


class _Backlog(Collector):
    """Counts the jobs that wait whenever metrics are read."""

    def __init__(self, count_jobs: CountJobs) -> None:
        self._count_jobs = count_jobs
        self._loop = asyncio.get_running_loop()

    def describe(self) -> list[GaugeMetricFamily]:
        """Return the metric without values, for the registry."""
        return [_jobs_waiting()]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metric; nothing if the database does not answer. Called in the server's thread."""
        counting = asyncio.run_coroutine_threadsafe(self._count_jobs(), self._loop)
        try:
            counts = counting.result(_READ_WITHIN)
        except Exception as error:  # noqa: BLE001 - the other metrics are wanted all the more
            counting.cancel()
            log.warning("jobs_not_counted", error=repr(error))
            return
        family = _jobs_waiting()
        for kind, count in counts.items():
            family.add_metric([kind], count)
        yield family


def _jobs_waiting() -> GaugeMetricFamily:
    explanation = "Jobs that no worker has claimed, by kind; the same in every process."
    return GaugeMetricFamily("gorrion_jobs_waiting", explanation, labels=["kind"])
