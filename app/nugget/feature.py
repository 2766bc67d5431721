"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.nugget import api, entry_pages, live, queries, ranking_pages, run_pages
from app.nugget.judging import release_ended, trace_older_entries
from app.nugget.recurring import make_recurring

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(run_pages.router, entry_pages.router, ranking_pages.router),
    schedules=(
        Schedule(
            "make_recurring",
            "* * * * *",
            make_recurring,
            only_if=lambda settings: settings.recurring_competitions == "on",
        ),
        Schedule("release_ended", "* * * * * */3", release_ended),
        Schedule("trace_older_entries", "* * * * *", trace_older_entries),
        Schedule("delete_old_drafts", "37 4 * * *", queries.delete_old_drafts),
    ),
)
