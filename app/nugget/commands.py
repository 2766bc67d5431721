"""The commands that a page or program sends at once, for a run or the board of the day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID, uuid5

from app.core.errors import InvalidError
from app.core.i18n.text import ngettext, reason_of
from engine.golden_nugget.board import IllegalPush

MOST_COMMANDS = 100


@dataclass(frozen=True, slots=True)
class RefusedCommand:
    """The first command of a request that was refused, its index from 0 on, and why.

    It is stored, so that a request that is sent again is answered as the first time.
    """

    index: int
    command: str
    error: IllegalPush

    def as_json(self) -> dict[str, Any]:
        """Return the refusal as it is stored."""
        error = self.error
        return {
            "index": self.index,
            "command": self.command,
            "reason": error.reason,
            "message": error.message,
            "figures": error.figures,
        }

    @property
    def problem(self) -> InvalidError:
        """Return the error that says why."""
        return InvalidError(self.error.reason, reason_of(self.error))

    @classmethod
    def stored(cls, row: Mapping[str, Any] | None) -> Self | None:
        """Return the refusal that is stored as an object, None without one."""
        if row is None:
            return None
        reason, message = row["reason"], row["message"]
        return cls(row["index"], row["command"], IllegalPush(reason, message, **row["figures"]))


def check_number(commands: Sequence[str]) -> None:
    """Raise InvalidError `too_many_commands` if there are more than may be sent at once."""
    if len(commands) > MOST_COMMANDS:
        raise InvalidError(
            "too_many_commands",
            ngettext(
                "Send at most %(count)s command at once.",
                "Send at most %(count)s commands at once.",
                MOST_COMMANDS,
            ),
        )


def named(request_id: UUID, commands: Sequence[str]) -> UUID:
    """Return what is remembered of a request: only the same commands under the same id are a repetition."""
    return uuid5(request_id, " ".join(commands))
