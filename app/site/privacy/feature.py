"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.site.privacy import api, pages
from app.site.privacy.service import Privacy

FEATURE = Feature(
    api=(api.router,),
    pages=(pages.router,),
    schedules=(
        Schedule("write_exports", "* * * * * */3", Privacy.write_exports),
        Schedule("delete_old_exports", "47 * * * *", Privacy.delete_old_exports),
        Schedule("erase_due", "* * * * *", Privacy.erase_due),
    ),
)
