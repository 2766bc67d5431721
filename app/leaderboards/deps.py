"""FastAPI dependencies of routes about leaderboards."""

from typing import Annotated

from app.leaderboards.service import Leaderboards
from app.web.deps import part

LeaderboardsDep = Annotated[Leaderboards, part("leaderboards")]
