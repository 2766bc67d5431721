"""FastAPI dependencies of routes about tournaments."""

from typing import Annotated

from app.compete.tournaments.calendar import Calendar
from app.compete.tournaments.chatting import Chatting
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.follow import Followed
from app.compete.tournaments.seasons import Seasons
from app.compete.tournaments.service import Tournaments
from app.core.web.deps import part

FollowedDep = Annotated[Followed, part("followed")]
TournamentsDep = Annotated[Tournaments, part("tournaments")]
ChattingDep = Annotated[Chatting, part("chatting")]
EnteringDep = Annotated[Entering, part("entering")]
CalendarDep = Annotated[Calendar, part("calendar")]
SeasonsDep = Annotated[Seasons, part("seasons")]
