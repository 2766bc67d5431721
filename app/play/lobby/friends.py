"""The players whom somebody follows: who is online, and what they are playing."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from app.core.web.shown import GameId, Hidden, Username


@dataclass(frozen=True, slots=True)
class FollowedPlayer:
    """A player whom the account follows; `game_id` is the game that they are playing, if any."""

    account_id: Hidden[int]
    username: Username
    is_online: Annotated[bool, Field(alias="online")]
    game_id: GameId | None
