"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.people.push import api, pages
from app.people.push.sending import Pusher
from app.people.push.service import Push

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(
        Schedule("send_push", "* * * * * */3", Pusher.send_due),
        Schedule("delete_ended_devices", "57 * * * *", Push.delete_ended),
    ),
)
