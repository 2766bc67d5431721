"""FastAPI dependencies of routes about the computer players."""

from typing import Annotated

from app.bots.coach import Coach
from app.web.deps import part

CoachDep = Annotated[Coach, part("coach")]
