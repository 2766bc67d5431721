"""FastAPI dependencies of routes about the computer players."""

from typing import Annotated

from app.core.web.deps import part
from app.play.bots.coach import Coach
from app.play.bots.fair_play import FairPlay
from app.play.bots.service import Evaluations

CoachDep = Annotated[Coach, part("coach")]
EvaluationsDep = Annotated[Evaluations, part("evaluations")]
FairPlayDep = Annotated[FairPlay, part("fair_play")]
