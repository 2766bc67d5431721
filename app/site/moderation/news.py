"""What players are notified of when moderators act."""

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare

_RESULTS = {
    "acted": _("A moderator acted on your report about %(player)s"),
    "dismissed": _("A moderator looked into your report about %(player)s, and found no reason to act"),
    "answered": _("A moderator has read your answer"),
}
_PATHS = {"answered": "/account/moderation"}

declare(
    Kind(NewsKind.MODERATION, _("A moderator has made a decision about you"), "/account/moderation"),
    Kind(
        NewsKind.REPORT_CLOSED,
        lambda item: _RESULTS[item.data["result"]],
        lambda item: _PATHS.get(item.data["result"], "/players/{player}"),
        sent=Sent(_("What became of your reports")),
    ),
)
