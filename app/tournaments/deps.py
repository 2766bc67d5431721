"""FastAPI dependencies of routes about tournaments."""

from typing import Annotated

from app.tournaments.calendar import Calendar
from app.tournaments.chatting import Chatting
from app.tournaments.entering import Entering
from app.tournaments.follow import Followed
from app.tournaments.seasons import Seasons
from app.tournaments.service import Tournaments
from app.web.deps import part

FollowedDep = Annotated[Followed, part("followed")]
TournamentsDep = Annotated[Tournaments, part("tournaments")]
ChattingDep = Annotated[Chatting, part("chatting")]
EnteringDep = Annotated[Entering, part("entering")]
CalendarDep = Annotated[Calendar, part("calendar")]
SeasonsDep = Annotated[Seasons, part("seasons")]
