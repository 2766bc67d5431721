"""The players whom somebody follows: who is online, and what they are playing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Friend:
    """A player whom somebody follows; `game_id` is the game that they are playing, None without one."""

    account_id: int
    username: str
    is_online: bool
    game_id: str | None
