"""Builds the views of moderation."""

from datetime import datetime
from typing import Any

from app.core.i18n.text import _
from app.core.web.filters import minute
from app.play.chat.rooms import GREETINGS
from app.site.moderation import orders, places
from app.site.moderation.context import Remark
from app.site.moderation.models import ModerationAction
from app.site.moderation.orders import ModeratorAction
from app.site.moderation.queries import LoggedAction, ReportInfo
from app.site.moderation.reasons import LABELS, Reason
from app.site.moderation.service import Decision
from app.site.moderation.views import ActionView, ReportView, SaidView

_PLACES = {
    ModeratorAction.VOID_GAME: "game:",
    ModeratorAction.WITHDRAW_ENTRY: "entry:",
    ModeratorAction.CLOSE_TEAM: "team:",
}


def report_view(info: ReportInfo) -> ReportView:
    """Return a report as moderators see it."""
    report = info.report
    return ReportView(
        username=info.username,
        reporter=info.reporter,
        reason=LABELS[Reason(report.reason)],
        place=report.place,
        url=_url_of_moderators(report.place),
        text=report.text,
        quote=report.quote,
        at=report.reported_at,
        is_open=report.closed_at is None,
    )


def said_view(said: Remark) -> SaidView:
    """Return a text around a reported one as moderators see it."""
    text = GREETINGS[said.greeting] if said.greeting else said.text or _("removed by a moderator")
    return SaidView(said.username, text, said.at, said.is_reported)


def logged_view(logged: LoggedAction) -> ActionView:
    """Return a line of the log as moderators see it."""
    return _action_view(logged.action, logged.username, logged.moderator, may_answer=False)


def decision_view(decision: Decision) -> ActionView:
    """Return a decision as the player concerned sees it, who does not learn who made it."""
    return _action_view(decision.action, "", "", may_answer=decision.may_answer)


def _action_view(action: ModerationAction, username: str, moderator: str, *, may_answer: bool) -> ActionView:
    subject = action.details.get("subject", "")
    return ActionView(
        id=action.id,
        label=orders.label(action.action),
        username=username,
        moderator=moderator,
        reason=action.reason,
        detail=_detail(action.details),
        url=_url(_PLACES.get(ModeratorAction(action.action), "") + subject),
        at=action.at,
        may_answer=may_answer,
    )


def _detail(details: dict[str, Any]) -> str:
    if "until" in details:
        return minute(datetime.fromisoformat(details["until"]))
    if "to" in details:
        return f"{details['from']} → {details['to']}"
    return str(details.get("subject", ""))


def _url_of_moderators(place: str) -> str | None:
    known = places.parse(place)
    return known.url_of_moderators if known else None


def _url(place: str) -> str | None:
    known = places.parse(place)
    return known.url if known else None
