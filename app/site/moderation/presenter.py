"""Builds the lines of the log of moderation that templates draw."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.i18n.text import Text
from app.core.web.filters import minute
from app.site.moderation import places
from app.site.moderation.kinds import ACTIONS, ModeratorAction
from app.site.moderation.models import ModerationAction
from app.site.moderation.queries import Context, DecisionShown, LoggedAction, ReportShown

_PLACES = {
    ModeratorAction.VOID_GAME: "game:",
    ModeratorAction.WITHDRAW_ENTRY: "entry:",
    ModeratorAction.CLOSE_TEAM: "team:",
}


@dataclass(frozen=True, slots=True)
class ActionView:
    """A line of the log of moderation."""

    id: int
    label: Text
    username: str
    moderator: str  # "" for the player concerned
    reason: str
    detail: str | Text  # "2026-11-28", "robin → player-7", "Line of chat"
    url: str | None
    at: datetime
    may_answer: bool


def games_of(reports: Iterable[ReportShown], said: Mapping[int, Context]) -> dict[int, str]:
    """Return the games that reports are about, or beside which their texts were said, by the reports' ids."""
    games = {}
    for report in reports:
        kind, _colon, name = report.place.partition(":")
        if kind == "game":
            games[report.id] = name
        elif report.id in said and (game_id := said[report.id].game_id):
            games[report.id] = game_id
    return games


def logged_view(logged: LoggedAction) -> ActionView:
    """Return a line of the log as moderators see it."""
    return _action_view(logged.action, logged.username, logged.moderator)


def decision_view(decision: DecisionShown) -> ActionView:
    """Return a decision as the player concerned sees it, who does not learn who made it."""
    return _action_view(decision, "", "", may_answer=decision.may_answer)


def _action_view(
    action: ModerationAction | DecisionShown, username: str, moderator: str, *, may_answer: bool = False
) -> ActionView:
    kind = ModeratorAction(action.action)
    place = places.parse(_PLACES.get(kind, "") + action.details.get("subject", ""))
    return ActionView(
        id=action.id,
        label=ACTIONS[kind],
        username=username,
        moderator=moderator,
        reason=action.reason,
        detail=_detail(action.details),
        url=place.url if place else None,
        at=action.at,
        may_answer=may_answer,
    )


def _detail(details: dict[str, Any]) -> str | Text:
    if "until" in details:
        return minute(datetime.fromisoformat(details["until"]))
    if "to" in details:
        return f"{details['from']} → {details['to']}"
    subject = str(details.get("subject", ""))
    place = places.parse(subject)
    return (place and place.noun) or subject
