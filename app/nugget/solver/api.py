"""Searches for programs."""

from collections.abc import Sequence

from fastapi import APIRouter

from app.core.web.deps import Part
from app.nugget.solver.queries import SolverSearchShown
from app.nugget.solver.service import Searches

router = APIRouter(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/solver")
async def searches(searches: Part[Searches]) -> Sequence[SolverSearchShown]:
    """Return the searches for short records that operators have reported, those that began last first."""
    return await searches.all()
