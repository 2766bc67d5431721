"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from tests.support.greetings import api, pages
from tests.support.greetings.service import Greetings

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(Schedule("delete_old_greetings", "* * * * * *", Greetings.delete_old),),
)
