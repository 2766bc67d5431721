"""What the form that begins a vacation sends."""

from pydantic import BaseModel

from app.play.vacations.schemas import Days


class VacationForm(BaseModel):
    """The length of a vacation."""

    days: Days
