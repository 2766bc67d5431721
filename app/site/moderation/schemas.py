"""Reports and actions of moderators in the JSON API."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.shown import Text, Username, example
from app.site.moderation import places
from app.site.moderation.orders import FreeText
from app.site.moderation.queries import ReportInfo
from app.site.moderation.service import Decision

LineText = Annotated[str, Field(max_length=100, examples=["game:k7m2wq9xab"], pattern=r"^[^\x00-\x1f\x7f]*$")]


class ReportRequest(RequestBody):
    """A report about a player. `place` names what it is about: `game:ID`, `profile:USERNAME` or the like."""

    username: Annotated[str, Field(max_length=64, examples=["robin"])]
    place: LineText = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: FreeText = ""


class ReportMade(BaseModel):
    """A report that moderators will read."""

    id: int


class ReportShown(BaseModel):
    """An open report. `reporter` is null if the server made it; `quote` is the text that it is about."""

    id: int
    username: Username
    reporter: Username | None
    reason: Annotated[str, example("abuse")]
    place: Annotated[str, example("game:k7m2wq9xab")]
    url: Annotated[str, example("/games/k7m2wq9xab")] | None
    text: Annotated[str, example("In the chat.")]
    quote: Text
    at: datetime

    @classmethod
    def of(cls, info: ReportInfo) -> Self:
        """Return a report as the API shows it."""
        report = info.report
        place = places.parse(report.place)
        return cls(
            id=report.id,
            username=info.username,
            reporter=info.reporter,
            reason=report.reason,
            place=report.place,
            url=place.url_of_moderators if place else None,
            text=report.text,
            quote=report.quote,
            at=report.reported_at,
        )


class ReportList(BaseModel):
    """The open reports, the latest first."""

    reports: list[ReportShown]


class ActionRequest(RequestBody):
    """What a moderator does about a player, and the reason that the player reads.

    `days` is for `mute` and `ban`, `new_name` for `rename`. `subject` is the id of the game for `void_game`,
    of the team (which the player leads) for `close_team`, of the entry for `withdraw_entry` (its reason is
    public), and the place of the text for `remove_text`.
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


class ActionDone(BaseModel):
    """A line of the log of moderation."""

    id: int


class AnswerRequest(RequestBody):
    """The player's answer to a moderator's action."""

    text: FreeText


class DecisionShown(BaseModel):
    """What a moderator decided about the account, and whether it may still answer."""

    id: int
    action: Annotated[str, example("mute")]
    reason: Annotated[str, example("Insults in the chat")]
    details: Annotated[dict[str, Any], example({"until": "2026-11-28T12:00:00+00:00"})]
    at: datetime
    may_answer: bool

    @classmethod
    def of(cls, decision: Decision) -> Self:
        """Return a decision as the API shows it."""
        action = decision.action
        return cls(
            id=action.id,
            action=action.action,
            reason=action.reason,
            details=action.details,
            at=action.at,
            may_answer=decision.may_answer,
        )
