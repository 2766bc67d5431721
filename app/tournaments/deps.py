"""FastAPI dependencies of routes about tournaments."""

from typing import Annotated

from fastapi import Depends

from app.identity.service import Identity
from app.identity.viewer import SignedIn
from app.tournaments.calendar import Calendar
from app.tournaments.chatting import Chatting
from app.tournaments.entering import Entering
from app.tournaments.follow import Followed
from app.tournaments.seasons import Seasons
from app.tournaments.service import Tournaments
from app.web.deps import ThrottleDep, part
from app.web.throttle import Limit

FollowedDep = Annotated[Followed, part("followed")]
TournamentsDep = Annotated[Tournaments, part("tournaments")]
ChattingDep = Annotated[Chatting, part("chatting")]
EnteringDep = Annotated[Entering, part("entering")]
CalendarDep = Annotated[Calendar, part("calendar")]
SeasonsDep = Annotated[Seasons, part("seasons")]


async def _stepping(viewer: SignedIn, throttle: ThrottleDep) -> Identity:
    await throttle.hit(Limit.STEP, f"account:{viewer.id}")
    return viewer


Stepping = Annotated[Identity, Depends(_stepping)]
"""A viewer who is logged in and takes a step, such as leaving a tournament, not too often."""
