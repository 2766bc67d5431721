"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.learn.statistics import api, pages
from app.learn.statistics.digest import count_boards, digest_all

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(
        Schedule("digest_games", "* * * * * */20", digest_all),
        Schedule("count_boards", "37 * * * *", count_boards),
    ),
)
