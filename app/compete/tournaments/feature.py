"""What this feature adds to the server."""

from app.compete.tournaments import api, live, making_pages, pages
from app.compete.tournaments.conduct import Director
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.news import remind_of_tournaments
from app.compete.tournaments.recurring import RecurringArenas
from app.compete.tournaments.seasons import update_seasons
from app.core.feature import Feature, Schedule

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(making_pages.router, pages.router),
    tasks={"tournaments": Director.run},
    schedules=(
        Schedule("remind_of_tournaments", "* * * * * */10", remind_of_tournaments),
        Schedule("make_recurring_arenas", "* * * * * */10", RecurringArenas.make),
        Schedule("recheck_players", "* * * * * */10", Entering.recheck_all),
        Schedule("update_seasons", "*/10 * * * *", update_seasons),
    ),
)
