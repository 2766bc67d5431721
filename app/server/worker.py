"""The worker process: creates the parts that do background jobs, connects them, and closes them."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from functools import partial

import structlog

from app.core import metrics, shutdown
from app.core.database.session import Database, patiently
from app.core.database.unreadable import register_unreadable
from app.core.jobs.queue import Queue
from app.core.jobs.worker import Handler, Jobs, Worker
from app.core.pulse import BEAT_EVERY, beat
from app.core.realtime.doubts import DeathWatch, DoubtsAnnouncer
from app.core.realtime.hub import Hub
from app.core.settings import Settings
from app.core.supervisor import Supervisor
from app.core.web.logs import configure_logs
from app.learn.puzzles import work as puzzles
from app.learn.reviews import work as reviews
from app.nugget import work as nugget
from app.people.inbox.kinds import kinds
from app.play.bots import work as bots
from app.play.bots.fair_play import FairPlay
from app.play.conditions.service import Conditions
from app.play.games.service import Games
from app.play.ratings import work as ratings
from app.play.solo_days import work as solo_days
from app.server.backends.choice import choose, parts_with
from app.site.dumps import work as dumps
from engine.search import computer
from engine.search.levels import BEST, USUAL
from engine.search.nugget import solver

log = structlog.get_logger()

JOBS: tuple[Jobs, ...] = (
    bots.JOBS,
    ratings.JOBS,
    nugget.JOBS,
    puzzles.JOBS,
    reviews.JOBS,
    solo_days.JOBS,
    dumps.JOBS,
)
"""What workers do for each feature. Web processes do not import it: it needs the searches."""

_CONNECTIONS = 4
_STOP_WITHIN = 5.0  # seconds
_NICENESS = 5  # a lower priority than the web server's


async def run(
    settings: Settings, *, until_input_ends: bool = False, heartbeats_to: int | None = None
) -> None:
    """Do the jobs of the queue until SIGTERM or SIGINT, or until standard input ends if `until_input_ends`.

    The settings must have a database URL. Heartbeats are sent to a file descriptor.
    """
    assert settings.database_url is not None
    configure_logs(settings.log_level)
    if until_input_ends:
        threading.Thread(target=_end_with_input, daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    beating = asyncio.create_task(beat(heartbeats_to))
    await asyncio.sleep(0)  # so that it beats before anything can keep the interpreter busy
    await asyncio.to_thread(_get_ready)
    hub = Hub()
    connect = partial(
        Database.open,
        settings.database_url,
        pool_size=_CONNECTIONS,
        role="worker",
        direct_url=settings.database_direct_url,
    )
    database = await patiently(connect)
    backends = choose(settings.model_copy(update={"bus": "postgres"}), database, hub)
    parts = parts_with(backends, settings, database, hub)
    games, queue = parts.get(Games), parts.get(Queue)
    await parts.get(FairPlay).begin()
    await parts.get(Conditions).begin()  # they answer the computers' moves
    handlers: dict[str, Handler] = {
        kind: parts.bind(handler, "job") for jobs in JOBS for kind, handler in jobs.items()
    }
    worker = Worker(database.pool, queue, hub, handlers)

    async def do_jobs() -> None:
        await worker.run()
        await asyncio.Event().wait()  # to be cancelled with the other tasks: one that returns has failed

    def stop() -> None:
        shutdown.begin(shutdown.PROCESS_WITHIN)
        worker.stop()

    supervisor = Supervisor(database.answers, partial(os._exit, 1))
    try:
        await backends.connect(supervisor)
        supervisor.keep("journal", games.journal.run)
        await patiently(parts.bind(nugget.enter_records))
        supervisor.keep("server_time", games.timekeeper.time.follow)
        supervisor.keep("doubts", parts.get(DoubtsAnnouncer).run)
        supervisor.keep("deaths", parts.get(DeathWatch).run)
        supervisor.keep("unreadable rows", partial(register_unreadable, database.pool))
        # Until here a signal ends the process at once, even if it waits for PostgreSQL.
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
        supervisor.keep("jobs", do_jobs)
        compiled = threading.Event()
        supervisor.keep("hanging jobs", partial(_end_if_job_hangs, worker, compiled))
        log.info("worker_ready")
        threading.Thread(target=_get_others_ready, args=(compiled,), daemon=True).start()
        async with metrics.served(settings.metrics_host, settings.metrics_port, queue.count_waiting):
            await worker.stopped.wait()
    finally:
        await shutdown.in_turn(backends.leave(), supervisor.stop(), database.close())
        beating.cancel()


async def _end_if_job_hangs(worker: Worker, compiled: threading.Event) -> None:
    """End this process if a job takes so long that its search never ends: no thread can be stopped.

    Until all searches are `compiled` a job may wait for its own.
    """
    while (hanging := worker.hanging()) is None or not compiled.is_set():  # noqa: ASYNC110 - as time passes
        await asyncio.sleep(BEAT_EVERY)
    log.critical("job_hangs", kind=hanging)
    os._exit(1)


def _get_ready() -> None:
    """Load the lower levels, and what is declared of notifications, before a game waits for it."""
    computer.get_ready(USUAL)
    kinds()


def _get_others_ready(compiled: threading.Event) -> None:
    """Compile the searches of the upper levels and of Golden Nugget, while the lower levels play already."""
    try:
        computer.get_ready(BEST)
        log.info("computers_ready")
        solver.get_ready()
        log.info("solver_ready")
    finally:
        compiled.set()


def _end_with_input() -> None:
    """Stop this process when its standard input ends: the process that started it is gone."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_STOP_WITHIN)
    os._exit(1)
