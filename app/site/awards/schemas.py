"""Achievements in the JSON API."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import example
from app.people.achievements import Achievement
from app.site.awards.models import Award


class AwardShown(BaseModel):
    """An achievement, and the first game (`game:ID`) or entry (`entry:ID`) that proves it."""

    achievement: Achievement
    proof: Annotated[str, example("game:k7m2wq9xab")]
    earned_at: datetime


class AwardList(BaseModel):
    """The achievements of a player, the earliest first."""

    achievements: list[AwardShown]

    @classmethod
    def of(cls, awards: Iterable[Award]) -> Self:
        """Return achievements as the API shows them."""
        return cls(
            achievements=[
                AwardShown(
                    achievement=Achievement(award.achievement), proof=award.proof, earned_at=award.earned_at
                )
                for award in awards
            ]
        )
