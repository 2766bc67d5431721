"""FastAPI dependencies of routes about the computer players."""

from typing import Annotated

from app.bots.coach import Coach
from app.bots.fair_play import FairPlay
from app.bots.service import Evaluations
from app.web.deps import part

CoachDep = Annotated[Coach, part("coach")]
EvaluationsDep = Annotated[Evaluations, part("evaluations")]
FairPlayDep = Annotated[FairPlay, part("fair_play")]
