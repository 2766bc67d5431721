"""The application: its parts made, wired together and closed again. Nothing else happens here."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.staticfiles import StaticFiles

import app.accounts.api
import app.accounts.pages
import app.accounts.settings_pages
import app.bots.analysis
import app.bots.api
import app.bots.pages
import app.games.api
import app.games.pages
import app.games.record_pages
import app.games.rules_pages
import app.games.watch_pages
import app.leaderboards.api
import app.leaderboards.pages
import app.lobby.api
import app.lobby.live
import app.lobby.pages
import app.notifications.api
import app.notifications.pages
import app.nugget.api
import app.nugget.pages
import app.players.api
import app.players.pages
import app.ratings.api
import app.solitaire.api
import app.solitaire.pages
from app.database.session import Database
from app.games.follow import GameFeed
from app.games.service import Games
from app.games.timekeeper import Alarm, Timekeeper
from app.jobs.queue import Queue
from app.live.service import Live
from app.lobby.lobby import Lobby
from app.realtime.bus import Bus, MemoryBus, PostgresBus
from app.realtime.hub import Hub
from app.realtime.presence import Presence
from app.realtime.signals import end_on_signal
from app.settings import Settings
from app.web import api_docs, errors, health
from app.web.logs import configure_logs
from app.web.middleware import BodyLimit, RequestLog, SecurityHeaders
from app.web.render import STATIC
from app.web.throttle import Throttle


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the web application; it connects when it starts. Raises ValueError without a database URL."""
    settings = settings or Settings()
    configure_logs(settings.log_level)
    api = FastAPI(
        title="Gorrion",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=_lifespan,
    )
    api.state.settings = settings
    api.state.hub = Hub()
    api.state.throttle = Throttle(enabled=settings.throttle == "on")
    errors.install(api)
    api.add_middleware(BodyLimit)
    api.add_middleware(SecurityHeaders, secure=settings.secure)
    api.add_middleware(RequestLog)
    programs = APIRouter(prefix="/api/v1")
    for router in (
        app.accounts.api.router,
        app.lobby.api.router,
        app.games.api.router,
        app.bots.api.router,
        app.notifications.api.router,
        app.nugget.api.router,
        app.ratings.api.router,
        app.leaderboards.api.router,
        app.solitaire.api.router,
        app.players.api.router,
    ):
        programs.include_router(router)
    for router in (
        programs,
        api_docs.router,
        health.router,
        app.accounts.pages.router,
        app.accounts.settings_pages.router,
        app.lobby.pages.router,
        app.lobby.live.router,
        app.notifications.pages.router,
        app.games.record_pages.router,
        app.bots.analysis.router,
        app.bots.pages.router,
        app.games.watch_pages.router,
        app.games.pages.router,
        app.nugget.pages.router,
        app.games.rules_pages.router,
        app.leaderboards.pages.router,
        app.solitaire.pages.router,
        app.players.pages.router,
    ):
        api.include_router(router)
    api.mount("/static", StaticFiles(directory=STATIC))
    api_docs.describe(api)
    return api


@asynccontextmanager
async def _lifespan(api: FastAPI) -> AsyncIterator[None]:
    state = api.state
    settings: Settings = state.settings
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL, or start the server with `gorrion serve`.")
    state.database = database = await Database.open(settings.database_url, pool_size=settings.database_pool)
    state.bus = bus = _bus(settings, state.hub, database)
    state.queue = Queue(database.pool, bus, state.hub)
    state.presence = presence = Presence(database.pool, bus)
    alarm = Alarm()
    state.games = games = Games(database, bus, presence, alarm)
    state.feed = GameFeed(games)
    state.live = live = Live(state.hub, database, settings)
    state.lobby = lobby = Lobby(database, bus, presence, games)
    presence.when_gone(lobby.maker_gone)
    writing = asyncio.create_task(games.journal.run())
    await bus.start()
    await presence.start()
    await games.beat()  # before anybody is told that time ran out while the server was down
    background = (Timekeeper(games, alarm, games.beat).run(), lobby.keep_house(), live.connections.beat())
    tasks = [writing, *map(asyncio.create_task, background)]
    spare_garbage_collector()
    try:
        with end_on_signal(live.connections.close):
            yield
    finally:
        for task in tasks:
            task.cancel()
        live.connections.close()
        state.hub.close()
        await presence.stop()
        await bus.stop()
        await database.close()


def spare_garbage_collector() -> None:
    """Keep full collections short and rare: what was made at the start stays, and games are no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _bus(settings: Settings, hub: Hub, database: Database) -> Bus:
    return PostgresBus(hub, database.dsn) if settings.bus == "postgres" else MemoryBus(hub)
