"""What the lobby and the challenge pages show, as plain values."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """One challenge as one viewer sees it."""

    id: str
    title: str  # "JadeJack"
    size: int
    maker: str
    maker_is_guest: bool
    opponent: str | None  # the username it is meant for, if any
    kind: str  # "open", "direct" or "link"
    side: str  # the side that the one who accepts will play: "black", "white" or "random"
    status: str  # "open", "accepted", "declined", "cancelled"
    game_id: str | None
    created_at: datetime
    is_mine: bool
    may_accept: bool
    may_decline: bool
