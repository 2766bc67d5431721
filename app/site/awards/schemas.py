"""Achievements in the JSON API."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel

from app.core.web.shown import Shown, Unchecked, example
from app.people.achievements import Achievement


class AwardShown(Shown):
    """An achievement, and the first game (`game:ID`) or entry (`entry:ID`) that proves it."""

    achievement: Unchecked[Achievement]
    proof: Annotated[str, example("game:k7m2wq9xab")]
    earned_at: datetime


class AwardList(BaseModel):
    """The achievements of a player, the earliest first."""

    achievements: list[AwardShown]
