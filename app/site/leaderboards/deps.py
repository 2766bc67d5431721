"""FastAPI dependencies of routes about leaderboards."""

from typing import Annotated

from app.core.web.deps import part
from app.site.leaderboards.service import Leaderboards

LeaderboardsDep = Annotated[Leaderboards, part("leaderboards")]
