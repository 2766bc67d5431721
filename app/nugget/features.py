"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.core.feature import LONG, Feature, Schedule
from app.nugget.bounds.service import bound_boards
from app.nugget.commitments.news import remind_of_commitments
from app.nugget.daily.service import make_days, solve_days
from app.nugget.entries import delete_old_drafts
from app.nugget.heads.service import sign_head
from app.nugget.judging import HAS_ENDED, release_ended, trace_older_entries
from app.nugget.records import retelling
from app.nugget.recurring import make_recurring
from app.nugget.solver.service import HAS_NEWS, tell_watchers
from app.nugget.tree import growing
from app.nugget.witness.service import ask_all

FEATURES = (
    Feature(
        "app.nugget",
        schedules=(
            Schedule(
                "make_recurring",
                "* * * * *",
                make_recurring,
                only_if=lambda settings: settings.recurring_competitions == "on",
            ),
            Schedule("release_ended", "* * * * * */3", release_ended, has_work=HAS_ENDED),
            Schedule("trace_older_entries", "* * * * *", trace_older_entries),
            Schedule("delete_old_drafts", "37 4 * * *", delete_old_drafts),
        ),
    ),
    Feature(
        "app.nugget.records",
        schedules=(
            Schedule("retell_outdated_records", "* * * * *", retelling.retell_outdated),
            Schedule("retell_records", "17 4 * * *", retelling.retell, within=LONG),
        ),
    ),
    Feature(
        "app.nugget.bounds",
        schedules=(Schedule("bound_boards", "* * * * *", bound_boards),),
    ),
    Feature(
        "app.nugget.daily",
        schedules=(
            Schedule("make_days", "*/10 * * * *", make_days),
            Schedule("solve_days", "*/5 * * * *", solve_days),
        ),
    ),
    Feature(
        "app.nugget.heads",
        schedules=(Schedule("sign_head", "*/10 * * * *", sign_head),),
    ),
    Feature(
        "app.nugget.witness",
        schedules=(Schedule("ask_witnessed_servers", "*/10 * * * *", ask_all),),
    ),
    Feature(
        "app.nugget.commitments",
        schedules=(Schedule("remind_of_commitments", "*/10 * * * *", remind_of_commitments),),
    ),
    Feature(
        "app.nugget.solver",
        schedules=(Schedule("tell_watchers_of_searches", "* * * * * */5", tell_watchers, has_work=HAS_NEWS),),
    ),
    Feature("app.nugget.reports"),
    Feature("app.nugget.tree", schedules=(Schedule("grow_older_tree", "* * * * *", growing.grow_older),)),
)
