"""The series of arenas that the server makes by itself, as the settings list them."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Annotated, Self

from croniter import CroniterBadDateError, croniter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from engine.game import with_defaults
from engine.registry import FOR_TWO

_WITHIN = 5  # years in which the next start has to come
_LEAST_APART = timedelta(minutes=10)
_LOOKED_AT = 20  # starts
_RANDOM = re.compile(r"\br\b", re.IGNORECASE)  # croniter chooses another time at each look


class RecurringArena(BaseModel):
    """A series of arenas: one begins at each time of a cron expression (UTC)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    series: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=3, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$"),
    ]
    cron: str
    minutes: Annotated[int, Field(ge=20, le=240)]
    game: str
    options: dict[str, int] = {}
    limit: Annotated[int, Field(ge=60, le=10_800)]
    increment: Annotated[int, Field(ge=0, le=180)] = 0
    rated: bool = True
    computers: bool = True

    @field_validator("cron")
    @classmethod
    def _is_cron(cls, cron: str) -> str:
        if not croniter.is_valid(cron) or _RANDOM.search(cron):
            raise ValueError("Write a cron expression such as '0 18 * * *'.")
        return cron

    @model_validator(mode="after")
    def _is_offered(self) -> Self:
        if self.game not in FOR_TWO:
            raise ValueError(f"There is no game {self.game!r} for two; choose one of {', '.join(FOR_TWO)}.")
        with_defaults(FOR_TWO[self.game].options, self.options)
        return self


def next_starts(cron: str, now: datetime, count: int) -> Iterator[datetime]:
    """Yield the next times of a cron expression, fewer if no more come for five years."""
    times = croniter(cron, now, ret_type=datetime, max_years_between_matches=_WITHIN)
    try:
        for _ in range(count):
            yield times.get_next()
    except CroniterBadDateError:
        return


def usable(arenas: Sequence[RecurringArena]) -> tuple[list[RecurringArena], list[str]]:
    """Return the series that can be made, and for each of the others a sentence that says what to write."""
    can_be_made: dict[str, RecurringArena] = {}
    problems = []
    for arena in arenas:
        problem = _problem(arena.cron)
        if arena.series in can_be_made:
            problem = "another one has its name. Give each series a word of its own."
        if problem is None:
            can_be_made[arena.series] = arena
        else:
            problems.append(f"The series {arena.series!r} is left out: {problem}")
    return list(can_be_made.values()), problems


def _problem(cron: str) -> str | None:
    starts = list(next_starts(cron, datetime.now(UTC), _LOOKED_AT))
    if not starts:
        return f"it does not come within {_WITHIN} years. Write a date that exists."
    if any(later - start < _LEAST_APART for start, later in pairwise(starts)):
        return "it comes too often. Leave 10 minutes or more between two of its arenas."
    return None
