"""The worker process: creates the parts that do background jobs, connects them, and closes them."""

import asyncio
import contextlib
import os
import signal
import sys
from functools import partial

import structlog

from app import metrics
from app.bots import service as bots
from app.bots import work
from app.database.session import Database
from app.games.service import Games
from app.games.timekeeper import Alarm
from app.jobs.queue import COMPUTER_MOVE, Queue
from app.jobs.worker import Handler, Worker
from app.nugget import assistance
from app.nugget.work import enter_record, solve_board
from app.realtime.bus import PostgresBus
from app.realtime.hub import Hub
from app.realtime.presence import Presence
from app.settings import Settings
from app.web.logs import configure_logs
from engine.search import computer

log = structlog.get_logger()

_CONNECTIONS = 4
_NICENESS = 5  # a lower priority than the web server's


async def run(settings: Settings, *, until_input_ends: bool = False) -> None:
    """Do the jobs of the queue until SIGTERM or SIGINT, or until standard input ends if `until_input_ends`.

    Raise ValueError if the settings have no database URL.
    """
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL; `gorrion serve` runs its own worker.")
    configure_logs(settings.log_level)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    await asyncio.to_thread(computer.get_ready)
    hub = Hub()
    database = await Database.open(settings.database_url, pool_size=_CONNECTIONS, role="worker")
    bus = PostgresBus(hub, database.dsn)
    try:
        await bus.start()
        games = Games(database, bus, Presence(database.pool, bus), Alarm())
        handlers: dict[str, Handler] = {
            COMPUTER_MOVE: partial(work.make_move, games),
            bots.EVALUATE: work.evaluate,
            assistance.SOLVE: solve_board,
        }
        queue = Queue(database.pool, bus, hub)
        worker = Worker(database.pool, queue, hub, handlers)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, worker.stop)
        if until_input_ends:
            loop.add_reader(sys.stdin, worker.stop)
        await enter_record(database, bus)
        log.info("worker_ready")
        background = [asyncio.create_task(games.journal.run()), asyncio.create_task(games.time.follow())]
        try:
            async with metrics.served(settings.metrics_host, settings.metrics_port, queue.count_waiting):
                await worker.run()
        finally:
            for task in background:
                task.cancel()
    finally:
        await bus.stop()
        await database.close()
