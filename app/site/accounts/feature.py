"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.site.accounts import (
    api,
    guest_pages,
    pages,
    recovery_pages,
    second_factor_pages,
    security_pages,
    settings_pages,
)
from app.site.accounts.cleanup import delete_unfinished_log_ins
from app.site.accounts.departures import Departures

FEATURE = Feature(
    api=(api.router,),
    pages=(
        guest_pages.router,
        pages.router,
        recovery_pages.router,
        second_factor_pages.router,
        security_pages.router,
        settings_pages.router,
    ),
    schedules=(
        Schedule("finish_departures", "* * * * * */10", Departures.finish),
        Schedule("delete_unfinished_log_ins", "7 * * * *", delete_unfinished_log_ins),
    ),
)
