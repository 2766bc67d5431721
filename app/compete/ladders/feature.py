"""What this feature adds to the server."""

from app.compete.ladders import api, live, pages
from app.compete.ladders.conduct import LadderDirector, conduct_ladders
from app.core.feature import Feature, Schedule

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(pages.router,),
    tasks={"ladders": LadderDirector.run},
    schedules=(Schedule("conduct_ladders", "* * * * * */5", conduct_ladders),),
)
