"""The worker: the parts that do the server's long work, made, wired together and closed again."""

import asyncio
import contextlib
import os
import signal
import sys
from functools import partial

import structlog

from app.bots import thoughts, work
from app.database.session import Database
from app.games.service import Games
from app.games.timekeeper import Alarm
from app.jobs.queue import MOVE, Queue
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

_CONNECTIONS = 2
_NICENESS = 5  # pages come first


async def run(settings: Settings, *, until_input_ends: bool = False) -> None:
    """Do what waits in the queue until a signal says to stop, or until standard input ends.

    Raises ValueError without a database URL.
    """
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL; `gorrion serve` runs a worker of its own.")
    configure_logs(settings.log_level)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    await asyncio.to_thread(computer.get_ready)
    hub = Hub()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, hub.close)
    if until_input_ends:
        loop.add_reader(sys.stdin, hub.close)
    database = await Database.open(settings.database_url, pool_size=_CONNECTIONS)
    bus = PostgresBus(hub, database.dsn)
    try:
        await bus.start()
        games = Games(database, bus, Presence(database.pool, bus), Alarm())
        handlers: dict[str, Handler] = {
            MOVE: partial(work.make_move, games),
            thoughts.KIND: work.think,
            assistance.KIND: solve_board,
        }
        writing = asyncio.create_task(games.journal.run())
        await enter_record(database, bus)
        log.info("worker_ready")
        await Worker(Queue(database.pool, bus, hub), hub, handlers).run()
        writing.cancel()
    finally:
        await bus.stop()
        await database.close()
