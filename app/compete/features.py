"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.compete.ladders.conduct import LadderDirector, conduct_ladders
from app.compete.tournaments.conduct import Director
from app.compete.tournaments.entering import HAS_OPEN, Entering
from app.compete.tournaments.news import HAS_TO_REMIND, remind_of_tournaments
from app.compete.tournaments.recurring import RecurringArenas
from app.compete.tournaments.seasons import update_seasons
from app.core.feature import Feature, Schedule

FEATURES = (
    Feature(
        "app.compete.tournaments",
        tasks={"tournaments": Director.run},
        schedules=(
            Schedule(
                "remind_of_tournaments", "* * * * * */10", remind_of_tournaments, has_work=HAS_TO_REMIND
            ),
            Schedule("make_recurring_arenas", "* * * * * */10", RecurringArenas.make),
            Schedule("recheck_players", "* * * * * */10", Entering.recheck_all, has_work=HAS_OPEN),
            Schedule("update_seasons", "*/10 * * * *", update_seasons),
        ),
    ),
    Feature(
        "app.compete.ladders",
        tasks={"ladders": LadderDirector.run},
        schedules=(Schedule("conduct_ladders", "* * * * * */5", conduct_ladders),),
    ),
    Feature("app.compete.teams"),
)
