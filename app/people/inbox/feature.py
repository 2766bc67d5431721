"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.people.inbox import api, pages
from app.people.inbox.service import delete_old_notifications, delete_old_sendings

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(
        Schedule("delete_old_notifications", "7 * * * *", delete_old_notifications),
        Schedule("delete_old_sendings", "27 * * * *", delete_old_sendings),
    ),
)
