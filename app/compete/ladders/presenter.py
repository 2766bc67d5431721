"""What the page of a ladder shows, and what it says."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.compete.ladders import ladder
from app.compete.ladders.queries import LadderChanges, LadderChangeShown
from app.compete.ladders.service import LadderRow, OwnLadderPlace
from app.core.database.rank_order import RankedPage
from app.core.i18n.text import Text, _, ngettext
from app.play.games.boards import BOARDS
from app.play.games.wording import control_text, rating_text
from engine.registry import FOR_TWO
from engine.tournaments.ladder import DROP, REACH

ROWS = 50
"""The places that a page shows."""

CHANGES = 20
"""The changes that a page shows."""


_CHANGES: Mapping[str, Callable[..., Text]] = {
    "joined": lambda **names: _("%(player)s joined", **names),
    "left": lambda **names: _("%(player)s left", **names),
    "removed": lambda **names: _("%(player)s was removed", **names),
    "dropped": lambda **names: _("%(player)s dropped for inactivity", **names),
    "voided": lambda **names: _("The game of %(player)s against %(opponent)s was voided", **names),
    "drawn": lambda **names: _("%(player)s kept the place with a draw against %(opponent)s", **names),
    "forfeited": lambda **names: _("%(opponent)s did not accept the challenge of %(player)s", **names),
    "defended": lambda **names: _("%(player)s defended the place against %(opponent)s", **names),
    "won": lambda **names: _("%(player)s took the place of %(opponent)s", **names),
}


def table_context(table: RankedPage[LadderRow], own: OwnLadderPlace | None, cursor: str) -> dict[str, Any]:
    """Return what the template of the table draws for a viewer whose own part of the ladder is `own`."""
    # Who has challenged somebody sees neither buttons nor reasons.
    targets = own.targets if own is not None and own.challenge is None else ()
    return {
        "rows": table.rows,
        "refusals": {target.account_id: target.refusal for target in targets},
        "rating_text": rating_text,
        "own": own,
        "cursor": cursor,
        "next": table.next,
    }


def history_context(history: LadderChanges, before: int | None) -> dict[str, Any]:
    """Return what the template of the history draws."""
    return {"history": history, "change_text": change_text, "before": before}


def facts(game: str) -> Iterator[tuple[Text, Text]]:
    """Yield the terms of a game's ladder as pairs of label and text."""
    rules = FOR_TWO[game]
    board = BOARDS[rules].size_text(ladder.options_of(game))
    yield _("Game"), _("%(game)s %(board)s", game=rules.title, board=board)
    yield _("Clock"), control_text(ladder.CONTROL)
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
            ladder.ANSWER_WITHIN.days,
        ),
    )
    yield _("Aborting a game"), _("counts as a loss")
    yield (
        _("Inactivity"),
        _(
            "%(places)s places down after %(days)s days without a game, off the ladder after %(most)s days",
            places=DROP,
            days=ladder.INACTIVE_AFTER.days,
            most=ladder.INACTIVE_AFTER.days * ladder.MOST_DROPS,
        ),
    )


def change_text(change: LadderChangeShown) -> Text:
    """Return what happened on a ladder in a sentence."""
    is_defence = change.kind is ladder.ChangeKind.WON and change.place_before == change.place_after
    return _CHANGES["defended" if is_defence else change.kind](player=change.player, opponent=change.opponent)
