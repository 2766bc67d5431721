"""What players are notified of in competitions at Golden Nugget."""

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.COMPETITION_ENDED,
        _("One of your competitions has ended early"),
        "/nugget/competitions/{subject}",
        sent=Sent(_("Your competitions that end early")),
    ),
    Kind(
        NewsKind.COMPETITION_CANCELLED,
        _("One of your competitions was cancelled"),
        "/nugget/competitions/{subject}",
        sent=Sent(_("Your competitions that are cancelled")),
    ),
)
