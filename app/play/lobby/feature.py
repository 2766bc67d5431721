"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.play.lobby import api, live, pages
from app.play.lobby.service import Lobby
from app.play.lobby.store import delete_old_challenges

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(pages.router,),
    on_start=(Lobby.begin,),
    schedules=(
        Schedule("expire_challenges", "* * * * * */30", Lobby.expire_old),
        Schedule("delete_old_challenges", "7 4 * * *", delete_old_challenges),
    ),
)
