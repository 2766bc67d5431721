"""What the page of a ladder shows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from app.compete.ladders.queries import LadderChangeShown
from app.compete.ladders.service import LadderRow, OwnLadderPlace
from app.compete.ladders.terms import ANSWER_WITHIN, CONTROL, INACTIVE_AFTER, MOST_DROPS, options_of
from app.compete.ladders.views import ChangeView, RowView
from app.compete.ladders.wording import change_text
from app.core.database.ranking import RankedPage
from app.core.i18n.text import Text, _, ngettext
from app.play.games.boards import BOARDS
from app.play.games.wording import control_text, rating_text
from engine.registry import FOR_TWO
from engine.tournaments.ladder import DROP, REACH


def table_context(table: RankedPage[LadderRow], own: OwnLadderPlace | None, cursor: str) -> dict[str, Any]:
    """Return what the template of the table draws for a viewer whose own part of the ladder is `own`."""
    return {"rows": _row_views(table.rows, own), "own": own, "cursor": cursor, "next": table.next}


def history_context(
    changes: Sequence[LadderChangeShown], has_more: bool, before: int | None
) -> dict[str, Any]:
    """Return what the template of the history draws."""
    return {
        "changes": [
            ChangeView(change_text(each), each.place_before, each.place_after, each.game_id, each.at)
            for each in changes
        ],
        "before": before,
        "older": changes[-1].id if changes and has_more else None,
    }


def facts(game: str) -> Iterator[tuple[Text, Text]]:
    """Yield the terms of a game's ladder as pairs of label and text."""
    rules = FOR_TWO[game]
    board = BOARDS[rules].size_text(options_of(game))
    yield _("Game"), _("%(game)s %(board)s", game=rules.title, board=board)
    yield _("Clock"), control_text(CONTROL)
    yield _("Rated?"), _("Rated")
    yield (
        _("Challenges"),
        ngettext("up to %(count)s place above you", "up to %(count)s places above you", REACH),
    )
    yield _("Open challenges"), _("one of yours, and one by each player within reach of you")
    yield (
        _("Time to accept"),
        ngettext(
            "%(count)s day, after that the place is lost",
            "%(count)s days, after that the place is lost",
            ANSWER_WITHIN.days,
        ),
    )
    yield _("Aborting a game"), _("counts as a loss")
    yield (
        _("Inactivity"),
        _(
            "%(places)s places down after %(days)s days without a game, off the ladder after %(most)s days",
            places=DROP,
            days=INACTIVE_AFTER.days,
            most=INACTIVE_AFTER.days * MOST_DROPS,
        ),
    )


def _row_views(rows: Iterable[LadderRow], own: OwnLadderPlace | None) -> list[RowView]:
    """Return places of the table. Buttons and reasons are for those who have not challenged anybody."""
    targets = {}
    if own is not None and own.challenge is None:
        targets = {target.account_id: target.refusal for target in own.targets}
    views = []
    for row in rows:
        refusal = targets.get(row.account_id)
        views.append(
            RowView(
                row.place,
                row.account_id,
                row.username,
                rating_text(row.rating),
                row.defences,
                row.challenge,
                row.account_id in targets,
                refusal.message if refusal else None,
            )
        )
    return views
