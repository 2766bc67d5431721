"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.learn.puzzles import api, pages
from app.learn.puzzles.collection import choose_days, search_next_game, store_shipped

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    on_start=(store_shipped,),
    schedules=(
        Schedule("choose_puzzles_of_days", "3 * * * *", choose_days),
        Schedule("search_for_puzzles", "* * * * *", search_next_game),
    ),
)
