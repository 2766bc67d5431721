"""Builds the queue of moderation that templates draw."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text, _, listed, ngettext
from app.site.moderation.queries import Context, ReportShown


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A player with open reports: their reasons, who made them, and the latest text and moment."""

    username: str
    reasons: Text
    origin: Text  # "by robin", "2 reports, by robin, noticed by the server"
    text: str
    at: datetime


def queue_rows(reports: Iterable[ReportShown]) -> list[QueueRow]:
    """Return a row for each player whom reports are about; the latest report is the first one."""
    by_player: defaultdict[str, list[ReportShown]] = defaultdict(list)
    for report in reports:
        by_player[report.username].append(report)
    return [_queue_row(about_one) for about_one in by_player.values()]


def _queue_row(reports: Sequence[ReportShown]) -> QueueRow:
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
