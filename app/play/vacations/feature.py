"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.play.vacations import api, pages
from app.play.vacations.service import Vacations

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(Schedule("stop_clocks_for_vacations", "* * * * *", Vacations.catch_up),),
)
