"""FastAPI dependencies of routes about vacations."""

from typing import Annotated

from app.vacations.service import Vacations
from app.web.deps import part

VacationsDep = Annotated[Vacations, part("vacations")]
