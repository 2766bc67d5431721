"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.site.accounts import api, pages, security_pages, settings_pages
from app.site.accounts.log_ins import delete_unfinished_log_ins
from app.site.accounts.service import Departures

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router, security_pages.router, settings_pages.mail_router, settings_pages.router),
    schedules=(
        Schedule("finish_departures", "* * * * * */10", Departures.finish),
        Schedule("delete_unfinished_log_ins", "7 * * * *", delete_unfinished_log_ins),
    ),
)
