"""What players are notified of when they have achieved something."""

from app.core.i18n.text import _
from app.people.achievements import WORDS, Achievement
from app.people.inbox.kinds import Kind, NewsKind, declare

declare(
    Kind(
        NewsKind.ACHIEVEMENT,
        _("You have a new achievement"),
        "/players/{player}#achievements",
        detail=lambda item: WORDS[Achievement(item.data["achievement"])].title,
    )
)
