"""The parts of the web application: created and connected when it starts, closed when it ends."""

import gc
import math
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TypedDict

from fastapi import FastAPI

from app.compete.ladders.director import LadderDirector
from app.compete.ladders.follow import FollowedLadders
from app.compete.ladders.service import Ladders
from app.compete.teams.joining import Joining
from app.compete.teams.service import Teams
from app.compete.tournaments.calendar import Calendar
from app.compete.tournaments.chatting import Chatting
from app.compete.tournaments.director import Director
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.follow import Followed
from app.compete.tournaments.seasons import Seasons
from app.compete.tournaments.service import Tournaments
from app.core import metrics, shutdown
from app.core.database.session import Database, patiently
from app.core.database.unreadable import register_unreadable
from app.core.events import ACCOUNTS
from app.core.i18n.catalogue import catalogue
from app.core.i18n.languages import LANGUAGES
from app.core.jobs.queue import Queue
from app.core.jobs.schedule import Schedule, run_schedules
from app.core.jobs.watch import WorkerWatch
from app.core.realtime.bus import Bus
from app.core.realtime.doubts import DoubtsAnnouncer
from app.core.realtime.hub import Hub
from app.core.realtime.presence import Presence
from app.core.realtime.signals import end_at_once_on_signal, end_on_signal, end_with_parent
from app.core.settings import Settings
from app.core.supervisor import Supervisor
from app.core.web import health
from app.core.web.cards import Cards
from app.core.web.throttle import TIMES_OF_SITE, Throttle
from app.learn.lessons.service import Lessons
from app.learn.puzzles.service import Puzzles
from app.learn.puzzles.storing import store_shipped
from app.learn.reviews.boards import BoardReviews
from app.learn.reviews.service import Reviews
from app.learn.statistics.service import Archive
from app.learn.studies.service import Studies
from app.live.quota import NetworkQuota
from app.live.service import Live
from app.nugget.assistance import Assistance
from app.nugget.competitions import Competitions
from app.nugget.entries import Entries
from app.nugget.rankings import Rankings
from app.nugget.runs import Runs
from app.people.inbox.service import Inbox
from app.people.mail.service import Mail
from app.people.push.service import Push
from app.people.social.service import Social
from app.play.bots.coach import Coach
from app.play.bots.fair_play import FairPlay
from app.play.bots.service import Evaluations
from app.play.chat.service import Chat
from app.play.conditions.service import Conditions
from app.play.games.follow import GameFeed
from app.play.games.service import Games
from app.play.games.timekeeper import Alarm, Timekeeper
from app.play.lobby.service import Lobby
from app.play.notes.service import Notes
from app.play.solitaire.service import Races, Solitaire
from app.play.vacations.service import Vacations
from app.server.backends.choice import Backends, choose
from app.server.housekeeping import schedules
from app.site.accounts.departures import Departures
from app.site.accounts.guests import Guests
from app.site.accounts.log_ins import LogIns
from app.site.accounts.recovery import Recovery
from app.site.accounts.security import Security
from app.site.accounts.service import Accounts
from app.site.awards.service import Awards
from app.site.leaderboards.service import Leaderboards
from app.site.messages.service import Messages
from app.site.moderation.service import Moderation
from app.site.notifications.marks import Marks
from app.site.players.service import Players
from app.site.privacy.service import Privacy
from app.site.sitemaps.service import Sitemaps


class State(TypedDict):
    """The parts of the running application, which `app.core.web.deps.part` hands to routes."""

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
    ladders: Ladders
    followed_ladders: FollowedLadders
    leaderboards: Leaderboards
    sitemaps: Sitemaps
    lessons: Lessons
    runs: Runs
    assistance: Assistance
    entries: Entries
    rankings: Rankings
    puzzles: Puzzles
    reviews: Reviews
    boards: BoardReviews
    competitions: Competitions
    solitaire: Solitaire
    races: Races
    evaluations: Evaluations
    fair_play: FairPlay
    coach: Coach
    studies: Studies
    archive: Archive
    tournaments: Tournaments
    entering: Entering
    departures: Departures
    chatting: Chatting
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
    marks: Marks
    accounts: Accounts
    log_ins: LogIns
    guests: Guests
    security: Security
    recovery: Recovery
    mail: Mail
    watch: WorkerWatch
    readiness: health.Readiness


@asynccontextmanager
async def lifespan(settings: Settings, _web: FastAPI) -> AsyncIterator[State]:
    """Run the application's parts. Raise ValueError if the settings have no database URL."""
    if settings.database_url is None:
        raise ValueError("Set GORRION_DATABASE_URL, or start the server with `gorrion serve`.")
    end_with_parent()
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
    alarm = Alarm()
    state = _create(settings, database, hub, backends, supervisor, alarm)
    games, live, readiness = state["games"], state["live"], state["readiness"]
    await patiently(games.beat)  # first: it sets the clock of this process and credits those of games
    await patiently(partial(store_shipped, database))
    await backends.connect(supervisor)
    supervisor.keep("journal", games.journal.run)
    await backends.attend(supervisor)
    supervisor.keep("timekeeper", Timekeeper(games, alarm).run)
    supervisor.keep("tournaments", Director(database, state["bus"], hub).run)
    supervisor.keep("ladders", LadderDirector(database, state["bus"], hub).run)
    supervisor.keep("worker watch", state["watch"].run)
    supervisor.keep("unreadable rows", partial(register_unreadable, database.pool))
    supervisor.keep("schedules", partial(run_schedules, database.pool, _schedules(state)))
    supervisor.keep("doubts", DoubtsAnnouncer(database, state["bus"]).run)
    supervisor.keep("heartbeats", live.connections.beat)
    if settings.database_replica_url is not None:
        replica = await database.add_replica(
            settings.database_replica_url,
            pool_size=settings.database_pool,
            role="web",
            most_behind=settings.database_replica_behind,
        )
        supervisor.keep("replica", partial(replica.follow, database))
    for language in LANGUAGES:
        catalogue(language)  # once: reading it for the first visitor would keep moves waiting
    _let_requests_interrupt_threads()
    _spare_garbage_collector()
    start_is_over()
    try:
        async with metrics.served(settings.metrics_host, settings.metrics_port, state["queue"].count_waiting):
            with end_on_signal(readiness.stop, live.connections.close, database.cut, settings.drain):
                yield state
    finally:
        live.connections.close()
        hub.close()
        await shutdown.in_turn(backends.leave(), supervisor.stop(), database.close())


def _create(
    settings: Settings,
    database: Database,
    hub: Hub,
    backends: Backends,
    supervisor: Supervisor,
    alarm: Alarm,
) -> State:
    """Return the parts, connected with each other."""
    bus, presence = backends.bus, backends.presence
    is_limited = settings.throttle == "on"
    throttle = Throttle(backends.counts, enabled=is_limited)
    per_address = settings.live_per_address if is_limited else math.inf
    games = Games(database, bus, presence, alarm)
    fair_play = FairPlay(database, games)
    games.before_answers(fair_play.check_answer)
    lobby = Lobby(database, bus, presence, games, fair_play)
    queue, watch = Queue(database.pool, bus, hub), WorkerWatch(database.pool)
    competitions, races, tournaments = (
        Competitions(database, bus),
        Races(database, bus),
        Tournaments(database, bus),
    )
    ladders, entering = Ladders(database, bus), Entering(database, bus)
    departures = Departures(database, games, lobby, entering)
    runs, evaluations = Runs(database), Evaluations(database, fair_play, queue)
    presence.when_gone(lobby.makers_gone)
    hub.listen(games.store.forget, (ACCOUNTS,))
    return {
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
        "live": Live(
            hub,
            database,
            settings,
            backends.quota("accounts", settings.live_per_account if is_limited else math.inf),
            NetworkQuota(
                backends.quota("addresses", per_address),
                backends.quota("sites", TIMES_OF_SITE * per_address),
            ),
        ),
        "lobby": lobby,
        "privacy": Privacy(database, bus, games),
        "moderation": Moderation(database, bus, throttle, departures),
        "inbox": Inbox(database, bus),
        "conditions": Conditions(database, bus, games),
        "notes": Notes(database, games),
        "vacations": Vacations(database, games),
        "push": Push(settings, database),
        "ladders": ladders,
        "followed_ladders": FollowedLadders(ladders),
        "leaderboards": Leaderboards(database),
        "sitemaps": Sitemaps(database),
        "lessons": Lessons(database),
        "runs": runs,
        "assistance": Assistance(runs, fair_play, queue),
        "entries": Entries(database, bus),
        "rankings": Rankings(database),
        "puzzles": Puzzles(database, fair_play, queue),
        "reviews": Reviews(database, fair_play, queue),
        "boards": BoardReviews(database, queue),
        "competitions": competitions,
        "solitaire": Solitaire(database, games),
        "races": races,
        "evaluations": evaluations,
        "fair_play": fair_play,
        "coach": Coach(database, games, fair_play, evaluations, throttle),
        "studies": Studies(database, bus, games, fair_play),
        "archive": Archive(database, fair_play),
        "tournaments": tournaments,
        "entering": entering,
        "departures": departures,
        "chatting": Chatting(database, bus),
        "calendar": Calendar(tournaments, competitions, races),
        "seasons": Seasons(database),
        "followed": Followed(database),
        "players": Players(database, games, presence),
        "awards": Awards(database, bus),
        "social": Social(database, bus),
        "teams": Teams(database, bus),
        "joining": Joining(database, bus),
        "chat": Chat(database, bus, games),
        "messages": Messages(database, bus),
        "marks": Marks(database.pool),
        "accounts": Accounts(database, bus, throttle, departures),
        "log_ins": LogIns(database, bus, throttle),
        "guests": Guests(database, bus),
        "security": Security(database, bus, throttle),
        "recovery": Recovery(database, bus, throttle, has_mail=settings.has_mail),
        "mail": Mail(database, bus),
        "watch": watch,
        "readiness": health.Readiness(
            {"database": database.check, "clock": games.time.check, **backends.checks},
            lambda: supervisor.failing,
            lambda: supervisor.degraded | watch.degraded,
        ),
    }


def _schedules(state: State) -> list[Schedule]:
    return schedules(
        state["settings"],
        state["database"],
        state["bus"],
        state["queue"],
        state["lobby"],
        state["conditions"],
        state["privacy"],
        state["vacations"],
        state["awards"],
        state["push"],
        state["departures"],
        state["games"],
        state["entering"],
    )


def _let_requests_interrupt_threads() -> None:
    """Make threads that work on statistics, pictures and exports give way to requests ten times as soon.

    With Python's default, a request waits up to 5 ms each time it goes on after waiting for the database.
    """
    sys.setswitchinterval(0.0005)


def _spare_garbage_collector() -> None:
    """Make full collections rare and the others short: exempt the parts above, since games contain no cycles.

    With Python's defaults, moves wait for collections of up to 300 ms. The moves that are being played have
    some thousands of objects, and a collection for each thousand would take an eighth of the time. Now one
    takes 6 to 10 ms, and every sixth one up to 40 ms; with a thousand moves per second there is one in three
    seconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 5, 500)
