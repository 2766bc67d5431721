"""Achievements in the JSON API."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from app.people.achievements import Achievement
from app.site.awards.models import Award

_AWARD: dict[str, Any] = {
    "achievement": "hijack",
    "proof": "game:k7m2wq9xab",
    "earned_at": "2026-11-21T18:05:00Z",
}


class AwardShown(BaseModel):
    """An achievement, and the first game (`game:ID`) or entry (`entry:ID`) that proves it."""

    model_config = ConfigDict(json_schema_extra={"examples": [_AWARD]})

    achievement: Achievement
    proof: str
    earned_at: datetime


class AwardList(BaseModel):
    """The achievements of a player, the earliest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"achievements": [_AWARD]}]})

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
