"""What players are notified of when their records are beaten."""

from app.core.i18n.text import _
from app.nugget.records.presenter import lost
from app.people.inbox.kinds import SPARING, Kind, NewsKind, Sent, declare

declare(
    Kind(
        NewsKind.RECORD_BEATEN,
        _("%(player)s has beaten one of your records"),
        "/nugget/records",
        detail=lambda item: lost(item.data).translated(),
        # The entry may be withdrawn.
        still_true="SELECT FROM nugget_record_changes WHERE entry_id = notifications.subject",
        sent=Sent(_("Your records that are beaten"), SPARING),
    )
)
