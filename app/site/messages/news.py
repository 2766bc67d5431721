"""What players are notified of when others write to them."""

from app.core.i18n.text import _
from app.people.inbox.kinds import SOON, Carriage, Channel, Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.MESSAGE,
        _("%(player)s wrote to you"),
        "/messages/{player}",
        still_true=(
            "SELECT FROM message_threads WHERE message_threads.account_id = notifications.account_id "
            "AND other_id = notifications.actor_id AND unread > 0"
        ),
        is_written=True,
        sent=Sent(_("Messages from players"), {Channel.PUSH: Carriage(SOON, 10)}),
    )
)
