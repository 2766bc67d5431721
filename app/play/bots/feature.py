"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.play.bots import api, pages
from app.play.bots.fair_play import FairPlay
from app.play.bots.late import request_late_moves
from app.play.bots.service import Coach
from app.play.games.service import Adviser

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    on_start=(FairPlay.begin,),
    stands_for={Adviser: Coach},
    schedules=(Schedule("request_late_moves", "* * * * * */15", request_late_moves),),
)
