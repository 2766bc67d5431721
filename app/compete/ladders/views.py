"""A ladder as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.compete.ladders.queries import LadderChallengeShown
from app.core.i18n.text import Text


@dataclass(frozen=True, slots=True)
class RowView:
    """A place of the table. Without a `reason` and with `is_target`, the viewer may challenge the player."""

    place: int
    account_id: int
    username: str
    rating: str
    defences: Sequence[LadderChallengeShown]
    challenge: LadderChallengeShown | None
    is_target: bool
    reason: Text | None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A line of the history."""

    text: Text
    before: int | None
    after: int | None
    game_id: str | None
    at: datetime
