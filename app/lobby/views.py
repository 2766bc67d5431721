"""Plain values that the templates of the lobby draw."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """One challenge as one viewer sees it."""

    id: str
    game: str  # registry key
    title: str  # "JadeJack"
    board: str  # "9×9"
    maker: str
    maker_is_guest: bool
    maker_rating: str  # "1512", "1500?"; "" for a guest
    maker_is_online: bool
    opponent: str | None  # the username of a direct challenge's opponent
    kind: str  # "open", "direct" or "link"
    side: str  # the side that the viewer would play: "black", "white" or "random"
    clock_kind: str  # "realtime", "correspondence" or "none"
    control: str  # "5+5", "3 days a move", "no clock"
    rated: bool
    rating_range: str  # "1400 to 1600", or ""
    is_rematch: bool
    status: str  # "open", "accepted", "declined", "cancelled", "expired"
    decline_reason: str | None  # in words
    game_id: str | None
    created_at: datetime
    is_mine: bool
    obstacle: str | None  # why the viewer cannot accept it
    is_for_viewer: bool  # a direct challenge to the viewer

    @property
    def may_accept(self) -> bool:
        """Return whether the viewer may accept it."""
        return self.status == "open" and self.obstacle is None
