"""Reports and actions of moderators in the JSON API."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.site.moderation import places
from app.site.moderation.orders import FreeText
from app.site.moderation.queries import ReportInfo
from app.site.moderation.service import Decision

LineText = Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ReportRequest(RequestBody):
    """A report about a player. `place` names what it is about: `game:ID`, `profile:USERNAME` or the like."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"username": "robin", "place": "game:k7m2wq9xab", "reason": "abuse", "text": "In the chat."}
            ]
        }
    )

    username: Annotated[str, Field(max_length=64)]
    place: LineText = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: FreeText = ""


class ReportMade(BaseModel):
    """A report that moderators will read."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": 17}]})

    id: int


class ReportShown(BaseModel):
    """An open report. `reporter` is null if the server made it; `quote` is the text that it is about."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": 17,
                    "username": "robin",
                    "reporter": "wren",
                    "reason": "abuse",
                    "place": "game:k7m2wq9xab",
                    "url": "/games/k7m2wq9xab",
                    "text": "In the chat.",
                    "quote": "",
                    "at": "2026-11-21T12:00:00Z",
                }
            ]
        }
    )

    id: int
    username: str
    reporter: str | None
    reason: str
    place: str
    url: str | None
    text: str
    quote: str
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

    model_config = ConfigDict(json_schema_extra={"examples": [{"reports": []}]})

    reports: list[ReportShown]


class ActionRequest(RequestBody):
    """What a moderator does about a player, and the reason that the player reads.

    `days` is for `mute` and `ban`, `new_name` for `rename`. `subject` is the id of the game for `void_game`,
    of the team (which the player leads) for `close_team`, of the entry for `withdraw_entry` (its reason is
    public), and the place of the text for `remove_text`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"username": "robin", "action": "mute", "reason": "Insults in the chat", "days": 7}]
        }
    )

    username: Annotated[str, Field(max_length=64)]
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
    new_name: Annotated[str, Field(max_length=64)] = ""


class ActionDone(BaseModel):
    """A line of the log of moderation."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": 5}]})

    id: int


class AnswerRequest(RequestBody):
    """The player's answer to a moderator's action."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "It was meant as a joke."}]})

    text: FreeText


class DecisionShown(BaseModel):
    """What a moderator decided about the account, and whether it may still answer."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": 5,
                    "action": "mute",
                    "reason": "Insults in the chat",
                    "details": {"until": "2026-11-28T12:00:00+00:00"},
                    "at": "2026-11-21T12:00:00Z",
                    "may_answer": True,
                }
            ]
        }
    )

    id: int
    action: str
    reason: str
    details: dict[str, Any]
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
