"""All features. Their routes are tried in this order, so those asked for most come first."""

from app.compete.features import FEATURES as COMPETE
from app.core.database.unreadable import delete_old_notes
from app.core.feature import Feature, Schedule
from app.core.jobs.queue import Queue
from app.core.jobs.watch import WorkerWatch
from app.core.web.once import delete_old_keys
from app.core.web.throttle import delete_old_counts
from app.learn.features import FEATURES as LEARN
from app.nugget.features import FEATURES as NUGGET
from app.people.features import FEATURES as PEOPLE
from app.play.features import FEATURES as PLAY
from app.server.operations.history import sample_figures
from app.site.features import FEATURES as SITE

FEATURES = (
    *PLAY,
    *PEOPLE,
    *NUGGET,
    *LEARN,
    *COMPETE,
    *SITE,
    Feature(
        "app.server.administration",
        schedules=(Schedule("sample_figures", "*/5 * * * *", sample_figures),),
    ),
    Feature(
        "app.core.database",
        schedules=(Schedule("delete_old_notes_of_unreadable_rows", "47 4 * * *", delete_old_notes),),
    ),
    Feature(
        "app.core.jobs",
        tasks={"worker watch": WorkerWatch.run},
        schedules=(
            Schedule("bring_back_jobs", "* * * * *", Queue.bring_back),
            Schedule("delete_old_jobs", "* * * * *", Queue.delete_old),
        ),
    ),
    Feature(
        "app.core.web",
        schedules=(
            Schedule("delete_old_counts", "*/10 * * * *", delete_old_counts),
            Schedule("delete_old_keys", "37 * * * *", delete_old_keys),
        ),
    ),
)
