"""What players are notified of when they have asked for their data."""

from app.core.i18n.text import _
from app.people.inbox.kinds import Kind, NewsKind, declare

declare(
    Kind(
        NewsKind.EXPORT_READY,
        _("The file with your data is ready"),
        "/account/exports/{subject}",
        still_true="SELECT FROM exports WHERE exports.id = notifications.subject",
    )
)
