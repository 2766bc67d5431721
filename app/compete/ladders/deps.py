"""FastAPI dependencies of routes about ladders."""

from typing import Annotated

from app.compete.ladders.follow import FollowedLadders
from app.compete.ladders.service import Ladders
from app.core.web.deps import part

LaddersDep = Annotated[Ladders, part("ladders")]
FollowedLaddersDep = Annotated[FollowedLadders, part("followed_ladders")]
