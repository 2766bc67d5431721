"""Searches for programs."""

from collections.abc import Sequence

from app.core.web.deps import Part
from app.core.web.routes import Router
from app.nugget.solver.queries import SolverSearchShown
from app.nugget.solver.service import Searches

router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/solver")
async def searches(searches: Part[Searches]) -> Sequence[SolverSearchShown]:
    """Return the searches for short records that operators have reported, those that began last first."""
    return await searches.all()
