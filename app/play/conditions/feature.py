"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.play.conditions import api, pages
from app.play.conditions.service import Conditions
from app.play.games.service import ConditionNotes

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    on_start=(Conditions.begin,),
    stands_for={ConditionNotes: Conditions},
    schedules=(Schedule("play_conditional_moves", "* * * * * */3", Conditions.catch_up),),
)
