"""What players are notified of in competitions at Golden Nugget."""

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.COMPETITION_ENDED,
        _("A competition of yours has ended early"),
        "/nugget/competitions/{subject}",
        sent=Sent(_("Competitions of yours that end early")),
    ),
    Kind(
        NewsKind.COMPETITION_CANCELLED,
        _("A competition of yours is cancelled"),
        "/nugget/competitions/{subject}",
        sent=Sent(_("Competitions of yours that are cancelled")),
    ),
)
