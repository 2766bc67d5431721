"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.core.feature import LONG, Feature, Schedule
from app.learn.puzzles.collection import choose_days, search_next_game, store_shipped
from app.learn.statistics.digest import count_boards, digest_all
from app.learn.studies.service import Studies
from app.play.games.service import SharedGameBoards

FEATURES = (
    Feature(
        "app.learn.puzzles",
        on_start=(store_shipped,),
        schedules=(
            Schedule("choose_puzzles_of_days", "3 * * * *", choose_days),
            Schedule("search_for_puzzles", "* * * * *", search_next_game),
        ),
    ),
    Feature("app.learn.reviews"),
    Feature("app.learn.studies", stands_for={SharedGameBoards: Studies}),
    Feature("app.learn.lessons"),
    Feature(
        "app.learn.statistics",
        schedules=(
            Schedule("digest_games", "* * * * * */20", digest_all, within=LONG),
            Schedule("count_boards", "37 * * * *", count_boards),
        ),
    ),
)
