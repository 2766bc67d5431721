"""What ladders say in words: why a challenge is not possible, and what has changed."""

from collections.abc import Callable, Mapping

from app.compete.ladders.ladder import ChangeKind
from app.compete.ladders.queries import LadderChangeShown
from app.core.i18n.text import Text, _, ngettext
from engine.tournaments.ladder import REACH, Obstacle

OBSTACLES: Mapping[Obstacle, Text] = {
    Obstacle.BELOW: _("Challenge somebody above you."),
    Obstacle.TOO_FAR: ngettext(
        "You can challenge the player %(count)s place above you.",
        "You can challenge players up to %(count)s places above you.",
        REACH,
    ),
    Obstacle.CHALLENGING: _("You have challenged somebody already."),
    Obstacle.PAIRED: _("This player has challenged you."),
}

_PLAIN: Mapping[ChangeKind, Callable[[LadderChangeShown], Text]] = {
    ChangeKind.JOINED: lambda change: _("%(player)s joined", player=change.player),
    ChangeKind.LEFT: lambda change: _("%(player)s left", player=change.player),
    ChangeKind.REMOVED: lambda change: _("%(player)s was removed", player=change.player),
    ChangeKind.DROPPED: lambda change: _("%(player)s dropped for inactivity", player=change.player),
    ChangeKind.VOIDED: lambda change: _(
        "The game of %(player)s against %(opponent)s was voided",
        player=change.player,
        opponent=change.opponent,
    ),
    ChangeKind.DRAWN: lambda change: _(
        "%(player)s kept the place with a draw against %(opponent)s",
        player=change.player,
        opponent=change.opponent,
    ),
}


def change_text(change: LadderChangeShown) -> Text:
    """Return what happened on a ladder in a sentence."""
    if change.kind in _PLAIN:
        return _PLAIN[change.kind](change)
    names = {"player": change.player, "opponent": change.opponent}
    if change.kind is ChangeKind.FORFEITED:
        return _("%(opponent)s did not accept the challenge of %(player)s", **names)
    if change.place_before == change.place_after:
        return _("%(player)s defended the place against %(opponent)s", **names)
    return _("%(player)s took the place of %(opponent)s", **names)
