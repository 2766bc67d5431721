"""What the forms of administrators send."""

from typing import Annotated

from pydantic import AwareDatetime, BaseModel, BeforeValidator, Field

from app.core.web.params import TypedName
from app.core.web.plain_text import Cleaned, one_line


class RightForm(BaseModel):
    """An account, and a right that it gets or loses."""

    username: Annotated[TypedName, Field(min_length=1)]
    right: Annotated[str, Field(max_length=20)]


def _in_utc(moment: str) -> str:
    return f"{moment}Z"


MomentOfForm = Annotated[AwareDatetime, BeforeValidator(_in_utc)]
"""A moment in UTC, as a field of a form has it."""


class AnnouncementForm(BaseModel):
    """The end of an announcement, beside its texts in fields with the codes of the languages."""

    ends_at: MomentOfForm


class ModeForm(BaseModel):
    """Who may register."""

    mode: Annotated[str, Field(max_length=20)]


class InvitationForm(BaseModel):
    """How many people are invited, until when."""

    most: int
    invited_until: MomentOfForm


class CodeForm(BaseModel):
    """The code of an invitation."""

    code: Annotated[str, Field(max_length=64), Cleaned(one_line)]


class NameForm(BaseModel):
    """A name that is reserved or released."""

    name: Annotated[str, Field(max_length=64), Cleaned(one_line)]


class ScheduleForm(BaseModel):
    """The schedule that is to run now."""

    schedule: Annotated[str, Field(max_length=100), Cleaned(one_line)]


class NoFields(BaseModel):
    """A form with a button only."""
