"""FastAPI dependencies of routes about tournaments."""

from typing import Annotated

from app.tournaments.calendar import Calendar
from app.tournaments.follow import Followed
from app.tournaments.seasons import Seasons
from app.tournaments.service import Tournaments
from app.web.deps import part

FollowedDep = Annotated[Followed, part("followed")]
TournamentsDep = Annotated[Tournaments, part("tournaments")]
CalendarDep = Annotated[Calendar, part("calendar")]
SeasonsDep = Annotated[Seasons, part("seasons")]
