"""The kinds of reports and of moderators' actions."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from app.core.i18n.text import Text, _
from app.core.web.plain_text import lines
from app.people.identity.suspicions import Suspicion

FreeText = Annotated[str, Field(max_length=1000, examples=["It was in the chat."]), AfterValidator(lines)]


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

REASONS: dict[Reason, Text] = {
    **OFFERED,
    Reason.HELP: _("Asked for the computer's help in a rated game"),
    Reason.ABORTS: _("Aborted many games"),
    Reason.PAIR: _("Played very many rated games with the same player"),
    Reason.DERIVED: _("Submitted an entry that begins like an earlier one"),
    Reason.APPEAL: _("Answers a moderator's action"),
}
"""The labels of all reasons."""


class ModeratorAction(StrEnum):
    """What a moderator can do."""

    DISMISS = "dismiss"
    WARN = "warn"
    MUTE = "mute"
    BAN = "ban"
    CLOSE = "close"
    RENAME = "rename"
    REMOVE_TEXT = "remove_text"
    CLOSE_TEAM = "close_team"
    VOID_GAME = "void_game"
    WITHDRAW_ENTRY = "withdraw_entry"
    LIFT = "lift"


ACTIONS: dict[ModeratorAction, tuple[Text, Text]] = {
    ModeratorAction.DISMISS: (
        _("Close the reports without consequences"),
        _("Reports closed without consequences"),
    ),
    ModeratorAction.WARN: (_("Warn the player"), _("Warning")),
    ModeratorAction.MUTE: (_("Forbid chat and messages"), _("No chat and messages")),
    ModeratorAction.BAN: (_("Forbid rated games and competitions"), _("No rated games and competitions")),
    ModeratorAction.CLOSE: (_("Close the account"), _("Account closed")),
    ModeratorAction.RENAME: (_("Change the username"), _("New username")),
    ModeratorAction.REMOVE_TEXT: (_("Remove the text"), _("Text removed")),
    ModeratorAction.CLOSE_TEAM: (_("Close the team"), _("Team closed")),
    ModeratorAction.VOID_GAME: (
        _("Void the rated game and recompute ratings"),
        _("Rated game voided, ratings recomputed"),
    ),
    ModeratorAction.WITHDRAW_ENTRY: (
        _("Withdraw the Golden Nugget entry"),
        _("Golden Nugget entry withdrawn"),
    ),
    ModeratorAction.LIFT: (_("Lift the restrictions"), _("Restrictions lifted")),
}
"""What moderators choose, and how the log and the player read it afterwards."""

FINAL = frozenset(
    {
        ModeratorAction.CLOSE,
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
    all open ones about the player.
    """

    action: ModeratorAction
    reason: str
    days: int = 7
    subject: str = ""
    new_name: str = ""
    reports: frozenset[int] | None = None

    @property
    def subject_id(self) -> str:
        """Return the id in the subject."""
        return self.subject.rpartition(":")[2]
