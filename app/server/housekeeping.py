"""The schedule of what the server does by itself, besides watching the clocks of games."""

from functools import partial

from app.compete.ladders.conduct import conduct_ladders
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.recurring import make_recurring_arenas
from app.compete.tournaments.reminders import remind_of_tournaments
from app.compete.tournaments.seasons import update_seasons
from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.jobs.schedule import Schedule
from app.core.realtime.bus import Bus
from app.core.recurring_arenas import usable
from app.core.settings import Settings
from app.core.web.once import delete_old_keys
from app.core.web.throttle import delete_old_counts
from app.learn.puzzles.days import choose_days
from app.learn.puzzles.searching import search_next_game
from app.learn.statistics.digest import count_boards, digest_all
from app.nugget import drafts
from app.nugget.recurring import make_recurring
from app.nugget.releases import release_ended
from app.nugget.tracing import trace_older_entries
from app.people.identity.cleanup import delete_expired_keys, delete_old_events, delete_unused_guests
from app.people.inbox.cleanup import delete_old_notifications, delete_old_sendings
from app.people.mail.digests import queue_digests
from app.people.mail.sending import Mailer
from app.people.mail.service import Mail
from app.people.push.sending import Pusher
from app.people.push.service import Push
from app.play.bots.late import request_late_moves
from app.play.conditions.service import Conditions
from app.play.games.reminders import remind_of_deadlines
from app.play.games.service import Games
from app.play.lobby.cleanup import delete_old_challenges
from app.play.lobby.service import Lobby
from app.play.ratings.rerating import found_ratings
from app.play.vacations.service import Vacations
from app.site.accounts.cleanup import delete_unfinished_log_ins
from app.site.accounts.departures import Departures
from app.site.awards.service import Awards
from app.site.leaderboards.marks import mark_rankings
from app.site.privacy.service import Privacy

_KEEP_RESULTS = 600.0  # seconds


def schedules(
    settings: Settings,
    database: Database,
    bus: Bus,
    queue: Queue,
    lobby: Lobby,
    conditions: Conditions,
    privacy: Privacy,
    vacations: Vacations,
    awards: Awards,
    push: Push,
    departures: Departures,
    games: Games,
    entering: Entering,
) -> list[Schedule]:
    """Return all schedules. The web processes run them, so that they need no worker."""
    mail = (
        [
            Schedule("send_mail", "* * * * * */5", Mailer(settings, database).send_due),
            Schedule("queue_digests", "* * * * *", partial(queue_digests, database)),
            Schedule("delete_old_links", "47 4 * * *", Mail(database, bus).delete_old_links),
        ]
        if settings.has_mail
        else []
    )
    arenas, _left_out = usable(settings.recurring_arenas)
    recurring = [Schedule("make_recurring", "* * * * *", partial(make_recurring, database))]
    return [
        *(recurring if settings.recurring_competitions == "on" else []),
        *mail,
        Schedule("send_push", "* * * * * */3", Pusher(settings, database, push).send_due),
        Schedule("delete_ended_devices", "57 * * * *", push.delete_ended),
        Schedule("remind_of_deadlines", "*/5 * * * *", partial(remind_of_deadlines, database, bus)),
        Schedule("remind_of_tournaments", "* * * * * */10", partial(remind_of_tournaments, database, bus)),
        Schedule(
            "make_recurring_arenas",
            "* * * * * */10",
            partial(make_recurring_arenas, database, bus, arenas),
        ),
        Schedule("recheck_players", "* * * * * */10", entering.recheck_all),
        Schedule("update_seasons", "*/10 * * * *", partial(update_seasons, database)),
        Schedule("conduct_ladders", "* * * * * */5", partial(conduct_ladders, database, bus)),
        Schedule("delete_old_notifications", "7 * * * *", partial(delete_old_notifications, database)),
        Schedule("delete_old_sendings", "27 * * * *", partial(delete_old_sendings, database)),
        Schedule("release_ended", "* * * * * */3", partial(release_ended, database, bus)),
        Schedule("award_new", "* * * * * */5", awards.award_new),
        Schedule("write_exports", "* * * * * */3", privacy.write_exports),
        Schedule("delete_old_exports", "47 * * * *", privacy.delete_old_exports),
        Schedule("erase_due", "* * * * *", privacy.erase_due),
        Schedule("trace_older_entries", "* * * * *", partial(trace_older_entries, database)),
        Schedule("request_late_moves", "* * * * * */15", partial(request_late_moves, database, bus, games)),
        Schedule("play_conditional_moves", "* * * * * */3", conditions.catch_up),
        Schedule("stop_clocks_for_vacations", "* * * * *", vacations.catch_up),
        Schedule("choose_puzzles_of_days", "3 * * * *", partial(choose_days, database)),
        Schedule("search_for_puzzles", "* * * * *", partial(search_next_game, database, queue)),
        Schedule("finish_departures", "* * * * * */10", departures.finish),
        Schedule("expire_challenges", "* * * * * */30", lobby.expire_old),
        Schedule("delete_old_challenges", "7 4 * * *", partial(delete_old_challenges, database)),
        Schedule("bring_back_jobs", "* * * * *", queue.bring_back),
        Schedule("delete_old_jobs", "* * * * *", partial(queue.delete_old, older_than=_KEEP_RESULTS)),
        Schedule("digest_games", "* * * * * */20", partial(digest_all, database)),
        Schedule("count_boards", "37 * * * *", partial(count_boards, database)),
        Schedule("found_ratings", "27 * * * *", partial(found_ratings, database)),
        Schedule("mark_rankings", "*/5 * * * *", partial(mark_rankings, database)),
        Schedule("delete_old_counts", "*/10 * * * *", partial(delete_old_counts, database.pool)),
        Schedule("delete_old_keys", "37 * * * *", partial(delete_old_keys, database)),
        Schedule("delete_unfinished_log_ins", "7 * * * *", partial(delete_unfinished_log_ins, database)),
        Schedule("delete_expired_keys", "17 * * * *", partial(delete_expired_keys, database)),
        Schedule("delete_old_events", "17 4 * * *", partial(delete_old_events, database)),
        Schedule("delete_old_drafts", "37 4 * * *", partial(drafts.delete_old, database)),
        Schedule("delete_unused_guests", "27 4 * * *", partial(delete_unused_guests, database)),
    ]
