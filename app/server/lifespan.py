"""A web process: its parts are made and its features started when it starts, and closed when it ends."""

import asyncio
import gc
import math
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from fastapi import FastAPI

from app.core import metrics, shutdown
from app.core.database.session import Database, patiently
from app.core.database.unreadable import register_unreadable
from app.core.feature import Feature, Schedule
from app.core.jobs.queue import Queue
from app.core.jobs.schedule import run_schedules
from app.core.jobs.watch import WorkerWatch
from app.core.parts import Parts
from app.core.pulse import beat
from app.core.realtime.doubts import DeathWatch, DoubtsAnnouncer
from app.core.realtime.hub import Hub
from app.core.settings import Settings
from app.core.shutdown import end_at_once_on_signal, end_on_signal, end_with_parent
from app.core.supervisor import Supervisor
from app.core.web.deps import PARTS_OF_ROUTES
from app.core.web.health import Readiness
from app.core.web.throttle import TIMES_OF_SITE, Throttle
from app.live.quota import NetworkQuota
from app.live.service import Live
from app.people.inbox.kinds import kinds
from app.play.games.service import Games
from app.server.backends.choice import Backends, choose, parts_with


@asynccontextmanager
async def lifespan(
    settings: Settings, features: Sequence[Feature], _web: FastAPI
) -> AsyncIterator[dict[str, Parts]]:
    """Run a web process. Raise ValueError if the settings have no database URL."""
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL, or start the server with `gorrion serve`.")
    end_with_parent()
    beating = asyncio.create_task(beat(None))  # the parent only asks whether a thread answers
    start_is_over = end_at_once_on_signal()
    hub = Hub()
    connect = partial(
        Database.open,
        settings.database_url,
        pool_size=settings.database_pool,
        role="web",
        direct_url=settings.database_direct_url,
    )
    database = await patiently(connect)
    backends = choose(settings, database, hub)
    supervisor = Supervisor(database.answers, partial(os.kill, os.getpid(), signal.SIGTERM))
    parts = create_parts(settings, features, database, hub, backends, supervisor)
    live, readiness = parts.get(Live), parts.get(Readiness)
    for feature in features:
        for function in feature.on_start:
            await patiently(parts.bind(function))
    await backends.connect(supervisor)
    await backends.attend(supervisor)
    for feature in features:
        for name, task in feature.tasks.items():
            supervisor.keep(name, parts.bind(task))
    supervisor.keep("unreadable rows", partial(register_unreadable, database.pool))
    time = parts.get(Games).timekeeper.time
    supervisor.keep("schedules", partial(run_schedules, database.pool, schedules(features, parts), time))
    supervisor.keep("doubts", parts.get(DoubtsAnnouncer).run)
    supervisor.keep("deaths", parts.get(DeathWatch).run)
    supervisor.keep("heartbeats", live.connections.beat)
    if settings.database_replica_url is not None:
        replica = await database.add_replica(
            settings.database_replica_url,
            pool_size=settings.database_pool,
            most_behind=settings.database_replica_behind,
        )
        supervisor.keep("replica", partial(replica.follow, database))
    _let_requests_interrupt_threads()
    _spare_garbage_collector()
    start_is_over()
    try:
        waiting = parts.get(Queue).count_waiting
        async with metrics.served(settings.metrics_host, settings.metrics_port, waiting):
            with end_on_signal(readiness.stop, live.connections.close, database.cut, settings.drain):
                yield {"parts": parts}
    finally:
        live.connections.close()
        hub.close()
        await shutdown.in_turn(backends.leave(), supervisor.stop(), database.close())
        beating.cancel()


def create_parts(
    settings: Settings,
    features: Iterable[Feature],
    database: Database,
    hub: Hub,
    backends: Backends,
    supervisor: Supervisor,
) -> Parts:
    """Return the parts: those that need more than other parts, and all that routes ask for."""
    parts = parts_with(backends, settings, database, hub)
    is_limited = settings.throttle == "on"
    per_address = settings.live_per_address if is_limited else math.inf
    of_accounts = backends.quota("accounts", settings.live_per_account if is_limited else math.inf)
    of_addresses = NetworkQuota(
        backends.quota("addresses", per_address), backends.quota("sites", TIMES_OF_SITE * per_address)
    )
    parts.add(Throttle, Throttle(backends.counts, enabled=is_limited))
    parts.add(Live, Live(hub, database, settings, of_accounts, of_addresses))
    for feature in features:
        for protocol, kind in feature.stands_for.items():
            parts.use(protocol, kind)
    watch, clock = parts.get(WorkerWatch), parts.get(Games).timekeeper.time
    parts.add(
        Readiness,
        Readiness(
            {"database": database.check, "clock": clock.check, **backends.checks},
            lambda: supervisor.failing,
            lambda: supervisor.degraded | watch.degraded,
        ),
    )
    for kind in PARTS_OF_ROUTES:
        parts.get(kind)
    kinds()  # the server does not start before each kind of notifications is declared
    return parts


def schedules(features: Iterable[Feature], parts: Parts) -> list[Schedule]:
    """Return the schedules of all features, given their parts. The web processes need no worker for them."""
    settings = parts.get(Settings)
    return [
        replace(schedule, function=parts.bind(schedule.function))
        for feature in features
        for schedule in feature.schedules
        if schedule.only_if(settings)
    ]


def _let_requests_interrupt_threads() -> None:
    """Make threads that work on statistics, pictures and exports give way to requests ten times as soon.

    With Python's default, a request waits up to 5 ms each time it goes on after waiting for the database.
    """
    sys.setswitchinterval(0.0005)


def _spare_garbage_collector() -> None:
    """Make full collections rare and the others short: exempt the parts above, since games contain no cycles.

    With Python's defaults, moves wait for collections of up to 300 ms. The moves that are being played have
    some thousands of objects, and a collection for each thousand would take an eighth of the time. Now one
    takes 6 to 10 ms, and every sixth one up to 40 ms. Moves alone cause none: what is remembered of them has
    no objects that are counted.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 5, 500)
