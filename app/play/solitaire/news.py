"""What players are notified of on leaderboards."""

from app.core.i18n.text import _
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.PLACE_LOST,
        _("%(player)s took your place on a leaderboard"),
        "{page}",
        sent=Sent(_("Places that you lose on a leaderboard"), SPARING),
    )
)
