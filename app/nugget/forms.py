"""What addresses, programs and forms call a competition, and what they send about it.

Ids have no words: a title may be changed, or removed by a moderator, and an id stays. Those of competitions
began with words of the title once; old addresses lead to the same competition by the rest.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from fastapi import Form, Query
from pydantic import AfterValidator, Field, Strict, ValidationInfo, field_validator

from app.core import ids
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.core.web.bodies import RequestBody
from app.core.web.paths import register_pattern
from app.core.web.plain_text import SHORTEST_TITLE, Cleaned, lines, words
from engine.golden_nugget.board import MAX_BOARDS, MIN_BOARDS

PATTERN = "[a-z0-9-]{1,64}"
"""The regular expression of what a competition is called."""

_WORDED = re.compile(rf"[a-z0-9-]+-({ids.PATTERN})")

_FARTHEST = timedelta(days=2 * 365)


def without_words(called: str) -> str:
    """Return the id of a competition by what an address calls it."""
    worded = _WORDED.fullmatch(called)
    return worded[1] if worded else called


CompetitionId = Annotated[str, AfterValidator(without_words)]

QueryCompetition = Annotated[CompetitionId, Query(pattern=rf"^({PATTERN})?$")]
"""The id of a competition in a query; may be empty."""

FormCompetition = Annotated[CompetitionId, Form(pattern=rf"^({PATTERN})?$")]
"""The id of a competition in a form; may be empty."""

ChosenCompetition = Annotated[CompetitionId, Field(pattern=rf"^{PATTERN}$", examples=["x7k2mq9rtz"])] | None
"""The id of a competition in a body, or None."""

register_pattern("competition", PATTERN, without_words)


Boards = Annotated[int, Field(ge=MIN_BOARDS, le=MAX_BOARDS)]


def _utc(at: datetime) -> datetime:
    """Return a moment in UTC; browsers' `datetime-local` fields send no time zone and mean UTC here."""
    now = utc_now()
    if abs(at.year - now.year) <= _FARTHEST.days // 365 + 1:  # so that no conversion overflows
        aware = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
        if abs(aware - now) <= _FARTHEST:
            return aware
    raise ValueError(_("Enter a date within two years from now."))


Moment = Annotated[datetime, Strict(False), AfterValidator(_utc)]


Reason = Annotated[
    str,
    Field(min_length=SHORTEST_TITLE, max_length=300, examples=["Moved to spring."]),
    Cleaned(words),
]


class CompetitionClosing(RequestBody):
    """Why a competition ends early or is cancelled; its page shows it."""

    reason: Reason


class CompetitionTerms(RequestBody):
    """A competition to create, or what one changes to before its start."""

    title: Annotated[
        str, Field(min_length=SHORTEST_TITLE, max_length=80, examples=["Winter cup"]), Cleaned(words)
    ]
    text: Annotated[str, Field(max_length=5_000), Cleaned(lines)] = ""
    starts_at: Annotated[Moment, Field(examples=["2026-12-01T00:00:00Z"])]
    ends_at: Annotated[Moment, Field(examples=["2027-01-01T00:00:00Z"])]
    min_boards: Boards = MIN_BOARDS
    max_boards: Boards = MAX_BOARDS
    visibility: Literal["open", "sealed"] = "open"

    @field_validator("ends_at")
    @classmethod
    def _check_end(cls, ends_at: datetime, info: ValidationInfo) -> datetime:
        if ends_at <= utc_now():
            raise ValueError(_("The end date is in the past."))
        if "starts_at" in info.data and ends_at <= info.data["starts_at"]:
            raise ValueError(_("The end must be after the start."))
        return ends_at

    @field_validator("max_boards")
    @classmethod
    def _check_boards(cls, max_boards: int, info: ValidationInfo) -> int:
        if max_boards < info.data.get("min_boards", MIN_BOARDS):
            raise ValueError(_("The minimum must not exceed the maximum."))
        return max_boards
