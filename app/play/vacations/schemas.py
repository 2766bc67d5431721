"""Vacations in the JSON API."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from app.core.moments import now, to_datetime
from app.core.web.bodies import RequestBody
from app.play.vacations.decisions import MOST_DAYS, VacationAllowance

Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]


class VacationRequest(RequestBody):
    """A vacation of some days, which begins now."""

    days: Days


class VacationShown(BaseModel):
    """When the present vacation ends (null: there is none), and the whole days that may still be taken."""

    until: datetime | None
    days_left: int

    @classmethod
    def of(cls, allowance: VacationAllowance) -> "VacationShown":
        """Return a vacation as the API shows it."""
        moment = now()
        until = allowance.until(moment)
        return cls(until=None if until is None else to_datetime(until), days_left=allowance.days_left(moment))
