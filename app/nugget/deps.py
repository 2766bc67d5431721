"""FastAPI dependencies of routes about Golden Nugget."""

from typing import Annotated

from app.core.web.deps import part
from app.core.web.paths import register_pattern
from app.nugget.assistance import Assistance
from app.nugget.competition_ids import PATTERN, without_words
from app.nugget.competitions import Competitions
from app.nugget.entries import Entries
from app.nugget.rankings import Rankings
from app.nugget.runs import Runs

register_pattern("competition", PATTERN, without_words)

RunsDep = Annotated[Runs, part("runs")]
EntriesDep = Annotated[Entries, part("entries")]
RankingsDep = Annotated[Rankings, part("rankings")]
CompetitionsDep = Annotated[Competitions, part("competitions")]
AssistanceDep = Annotated[Assistance, part("assistance")]
