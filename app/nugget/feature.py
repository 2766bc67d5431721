"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.nugget import api, drafts, live
from app.nugget.pages import competitions, entries, rankings, runs
from app.nugget.recurring import make_recurring
from app.nugget.releases import release_ended
from app.nugget.tracing import trace_older_entries

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(runs.router, entries.router, rankings.router, competitions.router),
    schedules=(
        Schedule(
            "make_recurring",
            "* * * * *",
            make_recurring,
            only_if=lambda settings: settings.recurring_competitions == "on",
        ),
        Schedule("release_ended", "* * * * * */3", release_ended),
        Schedule("trace_older_entries", "* * * * *", trace_older_entries),
        Schedule("delete_old_drafts", "37 4 * * *", drafts.delete_old),
    ),
)
