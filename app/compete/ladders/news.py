"""What players are notified of on ladders."""

from app.core.i18n.text import _
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare

_CHANGES = {
    "won": _("You took the place of %(player)s on the ladder"),
    "lost": _("%(player)s took your place on the ladder"),
    "voided": _("Your game against %(player)s was voided, and the places on the ladder are as before"),
    "dropped": _("You dropped on the ladder, because you have not played there for a long time"),
    "removed": _("You are no longer on the ladder"),
}

declare(
    Kind(
        NewsKind.LADDER_CHALLENGE,
        _("%(player)s challenges you for your place"),
        "/ladders/{game}?at=me",
        still_true=(
            "SELECT FROM ladder_challenges WHERE ladder_challenges.id = notifications.subject "
            "AND game_id IS NULL AND outcome IS NULL"
        ),
        sent=Sent(_("Challenges for your place on a ladder"), SPARING),
    ),
    Kind(NewsKind.LADDER_PLACE, lambda item: _CHANGES[item.data["change"]], "/ladders/{game}?at=me"),
)
