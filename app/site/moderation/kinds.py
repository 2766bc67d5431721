"""The kinds of reports and of moderators' actions."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from app.core.i18n.text import Text, Worded, _
from app.core.web.plain_text import Cleaned, lines
from app.people.identity.suspicions import Suspicion

LONGEST_SEEN = 4_000
"""The most characters of a reported text that a report has as the reporter saw it."""

FreeText = Annotated[str, Field(max_length=1000, examples=["It was in the chat."]), Cleaned(lines)]


class Reason(Worded):
    """A reason for a report. The first ones are for players, the others are the server's own."""

    ABUSE = "abuse", _("Insults or threats")
    CHEATING = "cheating", _("Cheating")
    SPAM = "spam", _("Advertising or spam")
    NAME = "name", _("An offensive name or text")
    OTHER = "other", _("Something else")
    HELP = Suspicion.HELP, _("Asked for the computer's help in a rated game")
    ABORTS = Suspicion.ABORTS, _("Aborted many games")
    PAIR = Suspicion.PAIR, _("Played very many rated games with the same player")
    DERIVED = Suspicion.DERIVED, _("Submitted an entry that begins like an earlier one")
    APPEAL = "appeal", _("Answers a moderator's action")


OFFERED = {
    reason: reason.words for reason in (Reason.ABUSE, Reason.CHEATING, Reason.SPAM, Reason.NAME, Reason.OTHER)
}
"""The reasons that players choose from, in words."""


class ModeratorAction(Worded):
    """What a moderator can do: what they choose, and how the log and the player read it afterwards."""

    DISMISS = "dismiss", _("Close the reports without consequences"), _("Reports closed without consequences")
    WARN = "warn", _("Warn the player"), _("Warning")
    MUTE = "mute", _("Forbid chat and messages"), _("No chat and messages")
    BAN = "ban", _("Forbid rated games and competitions"), _("No rated games and competitions")
    CLOSE = "close", _("Close the account"), _("Account closed")
    ERASE = "erase", _("Erase the closed account"), _("Closed account to be erased")
    RENAME = "rename", _("Change the username"), _("New username")
    REMOVE_TEXT = "remove_text", _("Remove the text"), _("Text removed")
    CLOSE_TEAM = "close_team", _("Close the team"), _("Team closed")
    VOID_GAME = (
        "void_game",
        _("Void the rated game and recompute ratings"),
        _("Rated game voided, ratings recomputed"),
    )
    WITHDRAW_ENTRY = (
        "withdraw_entry",
        _("Withdraw the Golden Nugget entry"),
        _("Golden Nugget entry withdrawn"),
    )
    LIFT = "lift", _("Lift the restrictions"), _("Restrictions lifted")


FINAL = frozenset(
    {
        ModeratorAction.CLOSE,
        ModeratorAction.ERASE,
        ModeratorAction.RENAME,
        ModeratorAction.REMOVE_TEXT,
        ModeratorAction.CLOSE_TEAM,
        ModeratorAction.VOID_GAME,
        ModeratorAction.WITHDRAW_ENTRY,
    }
)
"""The actions of which something cannot be undone."""

WORDINGS: dict[str, Text] = {
    "friendly": _("You insulted other players. Please stay friendly."),
    "spam": _("You advertised, or wrote the same again and again. Please stop."),
    "help": _("You had the help of a program or of others in rated games."),
    "leaving": _("You left or aborted many games. Please finish the games that you begin."),
    "name": _("Your name or your text offends others."),
    "nothing": _("Nothing here breaks the rules."),
}
"""Reasons that moderators give often, by their keys."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a moderator does, and why.

    `days` is for how long, `new_name` for a new username. `subject` is the place of the text, game, entry or
    team that it is about; of the last three the id is enough. `reports` are those that it closes, None for
    all open ones about the player. `after` is the last action about the player that the moderator has seen, 0
    for none, None if that does not matter.
    """

    action: ModeratorAction
    reason: str
    days: int = 7
    subject: str = ""
    new_name: str = ""
    reports: frozenset[int] | None = None
    after: int | None = None

    @property
    def subject_id(self) -> str:
        """Return the id in the subject."""
        return self.subject.rpartition(":")[2]
