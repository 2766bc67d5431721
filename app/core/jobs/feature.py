"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.core.jobs.queue import Queue
from app.core.jobs.watch import WorkerWatch

FEATURE = Feature(
    tasks={"worker watch": WorkerWatch.run},
    schedules=(
        Schedule("bring_back_jobs", "* * * * *", Queue.bring_back),
        Schedule("delete_old_jobs", "* * * * *", Queue.delete_old),
    ),
)
