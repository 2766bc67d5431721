"""Why an account is in the moderators' queue."""

from enum import StrEnum

from app.core.i18n.text import Text, _
from app.people.identity.suspicions import Suspicion


class Reason(StrEnum):
    """A reason for a report. The first ones are for players, the others are the server's own."""

    ABUSE = "abuse"
    CHEATING = "cheating"
    SPAM = "spam"
    NAME = "name"
    OTHER = "other"
    HELP = Suspicion.HELP
    ABORTS = Suspicion.ABORTS
    PAIR = Suspicion.PAIR
    DERIVED = Suspicion.DERIVED
    APPEAL = "appeal"


OFFERED = {
    Reason.ABUSE: _("Insults or threats"),
    Reason.CHEATING: _("Cheating"),
    Reason.SPAM: _("Advertising or spam"),
    Reason.NAME: _("An offensive name or text"),
    Reason.OTHER: _("Something else"),
}
"""The reasons that players choose from, with their labels."""

LABELS: dict[Reason, Text] = {
    **OFFERED,
    Reason.HELP: _("Asked for the computer's help in a rated game"),
    Reason.ABORTS: _("Aborted many games"),
    Reason.PAIR: _("Played very many rated games with the same player"),
    Reason.DERIVED: _("Submitted an entry that begins like an earlier one"),
    Reason.APPEAL: _("Answers a moderator's action"),
}
"""The labels of all reasons."""
