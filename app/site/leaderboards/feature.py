"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.site.leaderboards import api, pages
from app.site.leaderboards.service import mark_rankings

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(Schedule("mark_rankings", "*/5 * * * *", mark_rankings),),
)
