"""What the pages of settings offer and say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text, _, ngettext
from app.people.identity.audit import Action, Change, source_text
from app.people.identity.models import SecurityEvent
from app.site.accounts.guests import Left, Plan
from app.site.accounts.schemas import EXPIRIES

SAVED = {
    "password": _("Password changed. You have been logged out on all other devices."),
    "revoked": _("Revoked."),
    "reset": _("Password changed. Log in with the new one."),
    "second_factor": _("Second factor added. From now on you log in with a code as well."),
    "second_factor_removed": _("Second factor removed. From now on your password is enough."),
    "passkey": _("Passkey added. You can log in with it from now on."),
    "computer": _("This account is now labelled as a computer player."),
}
"""What the page says after something was saved."""

_BROUGHT: Mapping[str, Callable[[int], Text]] = {
    "games": lambda count: ngettext("%(count)s game", "%(count)s games", count),
    "runs": lambda count: ngettext(
        "%(count)s run of Golden Nugget", "%(count)s runs of Golden Nugget", count
    ),
    "challenges": lambda count: ngettext("%(count)s open challenge", "%(count)s open challenges", count),
    "races": lambda count: ngettext(
        "%(count)s race waiting to start", "%(count)s races waiting to start", count
    ),
}
_LEFT: Mapping[Left, Callable[[int], Text]] = {
    Left.AGAINST_YOURSELF: lambda count: _("Against yourself: %(count)s", count=count),
    Left.KNOWN: lambda count: _("Your account already has the same: %(count)s", count=count),
    Left.RATED: lambda count: _(
        "Rated and tournament games stay with who played them: %(count)s", count=count
    ),
    Left.BLOCKED: lambda count: _("You or the opponent has blocked the other: %(count)s", count=count),
    Left.TOO_MANY: lambda count: _(
        "No room in your account until you finish some of yours: %(count)s", count=count
    ),
}

SCOPES = (("play", _("play and read")), ("read", _("read only")))
"""The scopes of a token as options of a select."""

EXPIRY_CHOICES = (
    *((str(days), ngettext("in %(count)s day", "in %(count)s days", days)) for days in EXPIRIES),
    ("", _("never")),
)
"""The lifetimes of a token as options of a select: days and text."""

_EVENTS = {each.value: each.words for each in (*Change, *Action)}


@dataclass(frozen=True, slots=True)
class EventRow:
    """A line of the list of security events: what happened, when, and where it came from."""

    text: Text
    at: datetime
    source: Text


def event_row(event: SecurityEvent) -> EventRow:
    """Return a line of the audit log as its account's owner sees it."""
    what = _EVENTS[event.action]
    return EventRow(
        text=_("%(event)s: %(detail)s", event=what, detail=event.detail) if event.detail else what,
        at=event.at,
        source=source_text(event.browser, event.network),
    )


def brought_texts(plan: Plan) -> list[Text]:
    """Return what of a guest may come along."""
    counts = {name: len(getattr(plan, name)) for name in _BROUGHT}
    counted = [wording(counts[name]) for name, wording in _BROUGHT.items() if counts[name]]
    more = _("what else you have: what you learnt, tried and wrote, and whom you blocked")
    return [*counted, *([more] if plan.has_more else [])]


def left_texts(plan: Plan) -> list[Text]:
    """Return what of a guest may not come along, and why."""
    return [wording(plan.left[reason]) for reason, wording in _LEFT.items() if plan.left.get(reason)]
