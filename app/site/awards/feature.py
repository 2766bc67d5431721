"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.site.awards.service import Awards

FEATURE = Feature(schedules=(Schedule("award_new", "* * * * * */5", Awards.award_new),))
