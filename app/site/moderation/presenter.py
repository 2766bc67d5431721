"""Builds the queue and the lines of the log of moderation that templates draw."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.i18n.text import Text, _, listed, ngettext
from app.site.moderation import places
from app.site.moderation.kinds import ModeratorAction
from app.site.moderation.models import ModerationAction
from app.site.moderation.queries import Context, DecisionShown, LoggedAction, ReportShown

_PLACES = {
    ModeratorAction.VOID_GAME: "game:",
    ModeratorAction.WITHDRAW_ENTRY: "entry:",
    ModeratorAction.CLOSE_TEAM: "team:",
}


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A player with open reports: their reasons, who made them, and the latest text and moment."""

    username: str
    reasons: Text
    origin: Text  # "by robin", "2 reports, by robin, noticed by the server"
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ActionView:
    """A line of the log of moderation."""

    id: int
    label: Text
    username: str
    moderator: str  # "" for the player concerned
    reason: str
    detail: str | Text  # "robin → player-7", "Line of chat"
    until: datetime | None
    url: str | None
    at: datetime
    may_answer: bool


def queue_rows(reports: Iterable[ReportShown]) -> list[QueueRow]:
    """Return a row for each player whom reports are about; the latest report is the first one."""
    by_player: defaultdict[str, list[ReportShown]] = defaultdict(list)
    for report in reports:
        by_player[report.username].append(report)
    return [_queue_row(about_one) for about_one in by_player.values()]


def _queue_row(reports: Sequence[ReportShown]) -> QueueRow:
    """Return the row of a player with some reports."""
    texts = (report.quote or report.text for report in reports)
    return QueueRow(
        username=reports[0].username,
        reasons=listed(*dict.fromkeys(report.reason_text for report in reports)),
        origin=listed(*_origins(reports)),
        text=next(filter(None, texts), ""),
        at=reports[0].at,
    )


def _origins(reports: Sequence[ReportShown]) -> Iterator[Text]:
    """Yield how many reports there are, if there are several, and who made them."""
    reporters = dict.fromkeys(report.reporter for report in reports)
    if len(reports) > 1:
        yield ngettext("%(count)s report", "%(count)s reports", len(reports))
    if names := tuple(filter(None, reporters)):
        yield _("by %(players)s", players=names)
    if None in reporters:
        yield _("noticed by the server")


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
    _choice, label = kind.texts
    place = places.parse(_PLACES.get(kind, "") + action.details.get("subject", ""))
    until = action.details.get("until")
    return ActionView(
        id=action.id,
        label=label,
        username=username,
        moderator=moderator,
        reason=action.reason,
        detail=_detail(action.details),
        until=datetime.fromisoformat(until) if until else None,
        url=place.url if place else None,
        at=action.at,
        may_answer=may_answer,
    )


def _detail(details: dict[str, Any]) -> str | Text:
    if "to" in details:
        return f"{details['from']} → {details['to']}"
    subject = str(details.get("subject", ""))
    place = places.parse(subject)
    return (place and place.noun) or subject
