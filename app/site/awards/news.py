"""What players are notified of when they have achieved something."""

from app.core.i18n.text import _
from app.people.achievements import Achievement
from app.people.inbox.kinds import Kind, NewsKind, declare

declare(
    Kind(
        NewsKind.ACHIEVEMENT,
        _("You have a new achievement"),
        "/players/{player}#achievements",
        detail=lambda item: Achievement(item.data["achievement"]).words,
        # Its proof may be voided or withdrawn.
        still_true=(
            "SELECT FROM awards WHERE awards.account_id = notifications.account_id AND achievement = subject"
        ),
    )
)
