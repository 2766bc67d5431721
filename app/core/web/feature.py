"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.core.web.once import delete_old_keys
from app.core.web.throttle import delete_old_counts

FEATURE = Feature(
    schedules=(
        Schedule("delete_old_counts", "*/10 * * * *", delete_old_counts),
        Schedule("delete_old_keys", "37 * * * *", delete_old_keys),
    ),
)
