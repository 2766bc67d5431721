"""The web application: creates its parts, connects them, and closes them. Nothing else happens here."""

import gc
import math
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TypedDict

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware

import app.accounts.api
import app.accounts.pages
import app.accounts.recovery_pages
import app.accounts.second_factor_pages
import app.accounts.security_pages
import app.accounts.settings_pages
import app.awards.api
import app.bots.api
import app.bots.pages
import app.chat.api
import app.chat.pages
import app.conditions.api
import app.conditions.pages
import app.games.api
import app.games.live
import app.games.pages
import app.games.record_pages
import app.games.rules_pages
import app.games.watch_pages
import app.inbox.api
import app.inbox.pages
import app.leaderboards.api
import app.leaderboards.pages
import app.lessons.api
import app.lessons.pages
import app.lobby.api
import app.lobby.live
import app.lobby.pages
import app.mail.pages
import app.messages.api
import app.messages.live
import app.messages.pages
import app.moderation.api
import app.moderation.moderator_pages
import app.moderation.pages
import app.notes.api
import app.notes.pages
import app.notifications.api
import app.notifications.live
import app.notifications.pages
import app.nugget.api
import app.nugget.live
import app.nugget.pages
import app.players.api
import app.players.pages
import app.players.profile_pages
import app.privacy.api
import app.privacy.pages
import app.push.api
import app.push.pages
import app.puzzles.api
import app.puzzles.pages
import app.reviews.api
import app.reviews.pages
import app.social.api
import app.social.pages
import app.solitaire.api
import app.solitaire.live
import app.solitaire.pages
import app.statistics.api
import app.statistics.pages
import app.studies.analysis_pages
import app.studies.api
import app.studies.live
import app.studies.pages
import app.teams.api
import app.teams.pages
import app.tournaments.api
import app.tournaments.calendar_pages
import app.tournaments.live
import app.tournaments.making_pages
import app.tournaments.pages
import app.vacations.api
import app.vacations.pages
from app import metrics
from app.accounts.log_ins import LogIns
from app.accounts.recovery import Recovery
from app.accounts.security import Security
from app.accounts.service import Accounts
from app.awards.service import Awards
from app.backends.choice import choose
from app.bots.coach import Coach
from app.chat.service import Chat
from app.conditions.service import Conditions
from app.database.session import Database
from app.events import ACCOUNTS
from app.games.follow import GameFeed
from app.games.service import Games
from app.games.timekeeper import Alarm, Timekeeper
from app.housekeeping import schedules
from app.i18n.catalogue import catalogue
from app.i18n.languages import LANGUAGES
from app.identity.viewer import current_viewer
from app.inbox.service import Inbox
from app.jobs.queue import Queue
from app.jobs.schedule import run_schedules
from app.leaderboards.service import Leaderboards
from app.lessons.service import Lessons
from app.live.service import Live
from app.lobby.service import Lobby
from app.mail.service import Mail
from app.messages.service import Messages
from app.moderation.service import Moderation
from app.notes.service import Notes
from app.nugget.competitions import Competitions
from app.nugget.entries import Entries
from app.nugget.rankings import Rankings
from app.nugget.runs import Runs
from app.players.service import Players
from app.privacy.service import Privacy
from app.push.service import Push
from app.puzzles.service import Puzzles
from app.puzzles.storing import store_shipped
from app.realtime.bus import Bus
from app.realtime.hub import Hub
from app.realtime.presence import Presence
from app.realtime.signals import end_on_signal, end_with_parent
from app.reviews.service import Reviews
from app.settings import Settings
from app.social.service import Social
from app.solitaire.service import Races, Solitaire
from app.statistics.service import Archive
from app.studies.service import Studies
from app.supervisor import Supervisor
from app.teams.joining import Joining
from app.teams.service import Teams
from app.tournaments.calendar import Calendar
from app.tournaments.director import Director
from app.tournaments.follow import Followed
from app.tournaments.seasons import Seasons
from app.tournaments.service import Tournaments
from app.vacations.service import Vacations
from app.web import api_docs, errors, health, security_txt, site
from app.web.cards import Cards
from app.web.language import ReaderLanguage
from app.web.logs import configure_logs
from app.web.middleware import BodyLimit, Compression, RequestLog, SecurityHeaders
from app.web.origin import SameOrigin
from app.web.read_your_writes import ReadYourWrites
from app.web.static import Static
from app.web.throttle import Throttle

_API = (
    app.accounts.api.router,
    app.awards.api.router,
    app.bots.api.router,
    app.chat.api.router,
    app.conditions.api.router,
    app.games.api.router,
    app.inbox.api.router,
    app.leaderboards.api.router,
    app.lessons.api.router,
    app.lobby.api.router,
    app.messages.api.router,
    app.moderation.api.router,
    app.notes.api.router,
    app.vacations.api.router,
    app.notifications.api.router,
    app.nugget.api.router,
    app.players.api.router,
    app.push.api.router,
    app.privacy.api.router,
    app.puzzles.api.router,
    app.reviews.api.router,
    app.social.api.router,
    app.solitaire.api.router,
    app.statistics.api.router,
    app.studies.api.router,
    app.teams.api.router,
    app.tournaments.api.router,
)
_PAGES = (
    api_docs.router,
    app.accounts.pages.router,
    app.accounts.second_factor_pages.router,
    app.accounts.security_pages.router,
    app.accounts.recovery_pages.router,
    app.accounts.settings_pages.router,
    app.bots.pages.router,
    app.chat.pages.router,
    app.conditions.pages.router,
    app.games.pages.router,
    app.games.record_pages.router,
    app.games.rules_pages.router,
    app.games.watch_pages.router,
    app.leaderboards.pages.router,
    app.lessons.pages.router,
    app.inbox.pages.router,
    app.lobby.pages.router,
    app.messages.pages.router,
    app.mail.pages.router,
    app.moderation.moderator_pages.router,
    app.moderation.pages.router,
    app.notes.pages.router,
    app.vacations.pages.router,
    app.notifications.pages.router,
    app.nugget.pages.router,
    app.players.pages.router,
    app.push.pages.router,
    app.players.profile_pages.router,
    app.privacy.pages.router,
    app.puzzles.pages.router,
    app.reviews.pages.router,
    app.social.pages.router,
    app.solitaire.pages.router,
    app.statistics.pages.router,
    app.studies.analysis_pages.router,
    app.studies.pages.router,
    app.teams.pages.router,
    app.tournaments.calendar_pages.router,
    app.tournaments.making_pages.router,
    app.tournaments.pages.router,
    site.router,
)
_LIVE = (
    app.games.live.router,
    app.lobby.live.router,
    app.messages.live.router,
    app.notifications.live.router,
    app.nugget.live.router,
    app.solitaire.live.router,
    app.studies.live.router,
    app.tournaments.live.router,
)


class State(TypedDict):
    """The parts of the running application, which `app.web.deps.part` hands to routes."""

    settings: Settings
    throttle: Throttle
    cards: Cards
    database: Database
    hub: Hub
    bus: Bus
    queue: Queue
    presence: Presence
    games: Games
    feed: GameFeed
    live: Live
    lobby: Lobby
    moderation: Moderation
    privacy: Privacy
    inbox: Inbox
    conditions: Conditions
    notes: Notes
    vacations: Vacations
    push: Push
    leaderboards: Leaderboards
    lessons: Lessons
    runs: Runs
    entries: Entries
    rankings: Rankings
    puzzles: Puzzles
    reviews: Reviews
    competitions: Competitions
    solitaire: Solitaire
    races: Races
    coach: Coach
    studies: Studies
    archive: Archive
    tournaments: Tournaments
    calendar: Calendar
    seasons: Seasons
    followed: Followed
    players: Players
    awards: Awards
    social: Social
    teams: Teams
    joining: Joining
    chat: Chat
    messages: Messages
    accounts: Accounts
    log_ins: LogIns
    security: Security
    recovery: Recovery
    mail: Mail
    readiness: health.Readiness


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the web application, which connects to its database when it starts.

    Starting raises ValueError if the settings have no database URL.
    """
    settings = settings or Settings()
    configure_logs(settings.log_level)
    web = FastAPI(
        title="Gorrion",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `app.web.api_docs` serves it
        telemetry={"metrics": False, "logs": False},  # logs would have messages of exceptions
        lifespan=partial(_lifespan, settings),
        middleware=[  # the outermost first
            Middleware(RequestLog),
            Middleware(SecurityHeaders, secure=settings.secure),
            Middleware(Compression),
            Middleware(ReaderLanguage, secure=settings.secure),
            Middleware(errors.ErrorResponses),
            Middleware(BodyLimit),
            Middleware(SameOrigin, public_url=settings.public_url),
            *_of_replica(settings),
        ],
    )
    errors.install(web)
    for router in _API:
        web.include_router(router, prefix="/api/v1")
    for router in _PAGES:
        web.include_router(router, dependencies=[Depends(current_viewer)])
    for router in _LIVE:  # they look up the viewer after accepting, so that a failure has a close code
        web.include_router(router)
    web.include_router(health.router)
    web.include_router(security_txt.router)
    web.mount("/static", Static())
    web.add_api_websocket_route("/{path:path}", errors.no_such_socket)  # for paths that nothing above matches
    api_docs.describe(web)
    return web


def _of_replica(settings: Settings) -> list[Middleware]:
    if settings.database_replica_url is None:
        return []
    return [Middleware(ReadYourWrites, seconds=settings.database_replica_behind, secure=settings.secure)]


@asynccontextmanager
async def _lifespan(settings: Settings, _web: FastAPI) -> AsyncIterator[State]:
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL, or start the server with `gorrion serve`.")
    end_with_parent()
    hub = Hub()
    database = await Database.open_patiently(
        settings.database_url,
        pool_size=settings.database_pool,
        role="web",
        direct_url=settings.database_direct_url,
    )
    backends = choose(settings, database, hub)
    bus, presence = backends.bus, backends.presence
    is_limited = settings.throttle == "on"
    throttle = Throttle(backends.counts, enabled=is_limited)
    alarm = Alarm()
    games = Games(database, bus, presence, alarm)
    live = Live(
        hub,
        database,
        settings,
        backends.quota("accounts", settings.live_per_account if is_limited else math.inf),
        backends.quota("addresses", settings.live_per_address if is_limited else math.inf),
    )
    lobby = Lobby(database, bus, presence, games)
    conditions = Conditions(database, games)
    competitions, races, tournaments = (
        Competitions(database),
        Races(database, bus),
        Tournaments(database, bus),
    )
    presence.when_gone(lobby.maker_gone)
    hub.listen(games.store.forget, (ACCOUNTS,))
    queue = Queue(database.pool, bus, hub)
    privacy = Privacy(database, bus, games)
    vacations = Vacations(database, games)
    awards = Awards(database, bus)
    push = Push(settings, database)
    supervisor = Supervisor(database.answers, partial(os.kill, os.getpid(), signal.SIGTERM))
    await games.beat()  # first: it sets the clock of this process and credits those of games
    await store_shipped(database)
    await backends.connect(supervisor)
    supervisor.keep("journal", games.journal.run)
    await backends.attend(supervisor)
    supervisor.keep("timekeeper", Timekeeper(games, alarm).run)
    to_do = schedules(settings, database, bus, queue, lobby, conditions, privacy, vacations, awards, push)
    supervisor.keep("tournaments", Director(database, bus, hub).run)
    supervisor.keep("schedules", partial(run_schedules, database.pool, to_do))
    supervisor.keep("heartbeats", live.connections.beat)
    if settings.database_replica_url is not None:
        replica = await database.add_replica(
            settings.database_replica_url,
            pool_size=settings.database_pool,
            role="web",
            most_behind=settings.database_replica_behind,
        )
        supervisor.keep("replica", partial(replica.follow, database))
    readiness = health.Readiness(
        {"database": database.check, "clock": games.time.check, **backends.checks},
        lambda: supervisor.failing,
        lambda: supervisor.degraded,
    )
    for language in LANGUAGES:
        catalogue(language)  # once: reading it for the first visitor would keep moves waiting
    _spare_garbage_collector()
    try:
        async with metrics.served(settings.metrics_host, settings.metrics_port, queue.count_waiting):
            with end_on_signal(readiness.stop, live.connections.close, settings.drain):
                yield {
                    "settings": settings,
                    "throttle": throttle,
                    "cards": Cards(throttle),
                    "database": database,
                    "hub": hub,
                    "bus": bus,
                    "queue": queue,
                    "presence": presence,
                    "games": games,
                    "feed": GameFeed(games),
                    "live": live,
                    "lobby": lobby,
                    "privacy": privacy,
                    "moderation": Moderation(database, bus, throttle, games, lobby),
                    "inbox": Inbox(database, bus),
                    "conditions": conditions,
                    "notes": Notes(database, games),
                    "vacations": vacations,
                    "push": push,
                    "leaderboards": Leaderboards(database),
                    "lessons": Lessons(database),
                    "runs": Runs(database),
                    "entries": Entries(database, bus),
                    "rankings": Rankings(database),
                    "puzzles": Puzzles(database, queue),
                    "reviews": Reviews(database, queue),
                    "competitions": competitions,
                    "solitaire": Solitaire(database, games),
                    "races": races,
                    "coach": Coach(database, games, queue, throttle),
                    "studies": Studies(database, bus, games),
                    "archive": Archive(database),
                    "tournaments": tournaments,
                    "calendar": Calendar(tournaments, competitions, races),
                    "seasons": Seasons(database),
                    "followed": Followed(database),
                    "players": Players(database, games, presence),
                    "awards": awards,
                    "social": Social(database, bus),
                    "teams": Teams(database),
                    "joining": Joining(database, bus),
                    "chat": Chat(database, bus, games),
                    "messages": Messages(database, bus),
                    "accounts": Accounts(database, bus, throttle, games, lobby),
                    "log_ins": LogIns(database, bus, throttle),
                    "security": Security(database, bus, throttle),
                    "recovery": Recovery(database, bus, throttle, has_mail=settings.has_mail),
                    "mail": Mail(database),
                    "readiness": readiness,
                }
    finally:
        live.connections.close()
        hub.close()
        await backends.leave()
        await supervisor.stop()
        await database.close()


def _spare_garbage_collector() -> None:
    """Make full collections rare and the others short: exempt the parts above, since games contain no cycles.

    With Python's defaults, moves wait for collections of up to 300 ms. A collection takes about 0.4 ms for a
    thousand objects, so these take 4 ms, and every fifth one 20 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 4, 500)
