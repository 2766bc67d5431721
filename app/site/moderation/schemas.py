"""Reports and actions of moderators in the JSON API, and what their forms send."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from app.core.i18n.text import _
from app.core.web.bodies import RequestBody
from app.site.moderation.kinds import FINAL, WORDINGS, FreeText, ModeratorAction
from app.site.moderation.queries import ReportShown

LineText = Annotated[str, Field(max_length=100, examples=["game:k7m2wq9xab"], pattern=r"^[^\x00-\x1f\x7f]*$")]


_ReportId = Annotated[int, Field(ge=1, lt=1 << 63)]


class ReportRequest(RequestBody):
    """A report about a player. `place` names what it is about: `game:ID`, `profile:USERNAME` or the like."""

    username: Annotated[str, Field(max_length=64, examples=["robin"])]
    place: LineText = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: FreeText = ""


class ReportMade(BaseModel):
    """A report that moderators will read."""

    id: int


class ReportList(BaseModel):
    """The open reports, the latest first."""

    reports: list[ReportShown]


class ActionRequest(RequestBody):
    """What a moderator does about a player, and the reason that the player reads.

    `days` is for `mute` and `ban`, `new_name` for `rename`. `subject` is the id of the game for `void_game`,
    of the team (which the player leads) for `close_team`, of the entry for `withdraw_entry` (its reason is
    public), and the place of the text for `remove_text`. `reports` are the ids of the reports that it closes;
    null closes all open ones about the player.
    """

    username: Annotated[str, Field(max_length=64, examples=["robin"])]
    action: Literal[
        "dismiss",
        "warn",
        "mute",
        "ban",
        "close",
        "rename",
        "remove_text",
        "close_team",
        "void_game",
        "withdraw_entry",
        "lift",
    ]
    reason: FreeText
    days: Annotated[int, Field(ge=1, le=3650)] = 7
    subject: LineText = ""
    new_name: Annotated[str, Field(max_length=64, examples=["robin2"])] = ""
    reports: Annotated[list[_ReportId], Field(max_length=200, examples=[[7]])] | None = None


class ActionDone(BaseModel):
    """A line of the log of moderation."""

    id: int


class AnswerRequest(RequestBody):
    """The player's answer to a moderator's action."""

    text: FreeText


class ReportForm(ReportRequest):
    """A report about a player, and the page to go on to."""

    next: Annotated[str, Field(max_length=200)] = ""


class ActionForm(BaseModel):
    """What a moderator does about a player. `wording` is the key of a reason that is often given."""

    action: ModeratorAction
    wording: Annotated[str, Field(max_length=20)] = ""
    reason: FreeText = ""
    confirmed: bool = False
    days: Annotated[int, Field(ge=1, le=3650)] = 7
    subject: Annotated[str, Field(max_length=100)] = ""
    new_name: Annotated[str, Field(max_length=64)] = ""

    @model_validator(mode="after")
    def _check_confirmed(self) -> Self:
        if self.action in FINAL and not self.confirmed:
            raise ValueError(_("Confirm it: this cannot be undone."))
        return self

    @property
    def words(self) -> str:
        """Return the reason: one that is often given, own words, or both."""
        chosen = WORDINGS.get(self.wording)
        return " ".join(filter(None, (chosen and chosen.translated(), self.reason)))


class AppealForm(AnswerRequest):
    """The answer of a player whose account was closed, with the token of the link."""

    text: FreeText = ""
    token: Annotated[str, Field(max_length=64)] = ""
