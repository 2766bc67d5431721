"""What is notified of tournaments and ladders alike."""

from app.core.i18n.text import _
from app.people.eligibility import Ineligibility
from app.people.inbox.kinds import Kind, NewsKind, declare

_REASONS = {
    Ineligibility.CLOSED: _("You no longer take part, since your account is closed"),
    Ineligibility.EXCLUDED: _("You no longer take part, since a moderator has excluded you from rated games"),
    Ineligibility.COMPUTER: _("You no longer take part, since only people may take part"),
    Ineligibility.NOT_A_MEMBER: _("You no longer take part, since you are not a member of the team"),
    Ineligibility.RATING: _("You no longer take part, since your rating is outside the range"),
    Ineligibility.TOO_FEW_GAMES: _("You no longer take part, since you have too few rated games"),
}

declare(
    Kind(NewsKind.LEFT_OUT, lambda item: _REASONS[Ineligibility(item.data["reason"])], "/{place}/{subject}")
)
