"""What the forms of reports and of moderators send."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.site.moderation.orders import FreeText, ModeratorAction
from app.site.moderation.schemas import ReportRequest


class ReportForm(ReportRequest):
    """A report about a player, and the page to go on to."""

    next: Annotated[str, Field(max_length=200)] = ""


class ActionForm(BaseModel):
    """What a moderator does about a player."""

    action: ModeratorAction
    reason: FreeText
    days: Annotated[int, Field(ge=1, le=3650)] = 7
    subject: Annotated[str, Field(max_length=100)] = ""
    new_name: Annotated[str, Field(max_length=64)] = ""


class AnswerForm(BaseModel):
    """A player's answer to a moderator's action."""

    text: FreeText = ""


class AppealForm(AnswerForm):
    """The answer of a player whose account was closed, with the token of the link."""

    token: Annotated[str, Field(max_length=64)] = ""
