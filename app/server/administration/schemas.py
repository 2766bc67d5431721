"""What the forms of administrators send."""

from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from app.core.i18n.languages import LANGUAGES
from app.core.web.plain_text import one_line


class RightForm(BaseModel):
    """An account, and a right that it gets or loses."""

    model_config = ConfigDict(frozen=True)

    username: Annotated[str, Field(min_length=1, max_length=64)]
    right: Annotated[str, Field(max_length=20)]


def _in_utc(moment: str) -> str:
    return f"{moment}Z"


MomentOfForm = Annotated[AwareDatetime, BeforeValidator(_in_utc)]
"""A moment in UTC, as a field of a form has it."""

_Line = Annotated[str, Field(max_length=1000)]


class AnnouncementForm(BaseModel):
    """The text of an announcement in each language, and its end."""

    en: _Line = ""
    de: _Line = ""
    es: _Line = ""
    pl: _Line = ""
    ends_at: MomentOfForm

    def texts(self) -> dict[str, str]:
        """Return the text by language."""
        return {language: getattr(self, language) for language in LANGUAGES}


class ModeForm(BaseModel):
    """Who may register."""

    mode: Annotated[str, Field(max_length=20)]


class InvitationForm(BaseModel):
    """How many people are invited, until when."""

    most: int
    invited_until: MomentOfForm


class CodeForm(BaseModel):
    """The code of an invitation."""

    code: Annotated[str, Field(max_length=64), AfterValidator(one_line)]


class NameForm(BaseModel):
    """A name that is reserved or released."""

    name: Annotated[str, Field(max_length=64), AfterValidator(one_line)]


class ScheduleForm(BaseModel):
    """The schedule that is to run now."""

    schedule: Annotated[str, Field(max_length=100), AfterValidator(one_line)]


class NoFields(BaseModel):
    """A form with a button only."""
