"""FastAPI dependencies of routes about vacations."""

from typing import Annotated

from app.core.web.deps import part
from app.play.vacations.service import Vacations

VacationsDep = Annotated[Vacations, part("vacations")]
