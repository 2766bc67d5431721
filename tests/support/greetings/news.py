"""What players are notified of when others greet back."""

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.GREETED,
        _("%(player)s greets back"),
        "/greetings",
        still_true="SELECT FROM greetings WHERE greetings.id::text = notifications.subject",
        is_written=True,
        sent=Sent(_("Greetings back")),
    )
)
