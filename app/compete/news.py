"""What is notified of tournaments and ladders alike."""

from app.core.i18n.text import _
from app.people.eligibility import Misfit
from app.people.inbox.kinds import Kind, NewsKind, declare

_REASONS = {
    Misfit.CLOSED: _("You no longer take part, since your account is closed"),
    Misfit.EXCLUDED: _("You no longer take part, since a moderator has excluded you from rated games"),
    Misfit.COMPUTER: _("You no longer take part, since only people may take part"),
    Misfit.STRANGER: _("You no longer take part, since you are not a member of the team"),
    Misfit.RATING: _("You no longer take part, since your rating is outside the range"),
    Misfit.TOO_FEW_GAMES: _("You no longer take part, since you have too few rated games"),
}

declare(Kind(NewsKind.LEFT_OUT, lambda item: _REASONS[Misfit(item.data["reason"])], "/{place}/{subject}"))
