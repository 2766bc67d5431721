"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.play.ratings.rerating import found_ratings

FEATURE = Feature(schedules=(Schedule("found_ratings", "27 * * * *", found_ratings),))
