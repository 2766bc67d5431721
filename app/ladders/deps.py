"""FastAPI dependencies of routes about ladders."""

from typing import Annotated

from app.ladders.follow import FollowedLadders
from app.ladders.service import Ladders
from app.web.deps import part

LaddersDep = Annotated[Ladders, part("ladders")]
FollowedLaddersDep = Annotated[FollowedLadders, part("followed_ladders")]
