"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.people.identity.cleanup import delete_expired_keys, delete_old_events, delete_unused_guests

FEATURE = Feature(
    schedules=(
        Schedule("delete_expired_keys", "17 * * * *", delete_expired_keys),
        Schedule("delete_old_events", "17 4 * * *", delete_old_events),
        Schedule("delete_unused_guests", "27 4 * * *", delete_unused_guests),
    ),
)
