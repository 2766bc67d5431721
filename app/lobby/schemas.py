"""Challenges as the JSON API takes and gives them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.lobby.service import ChallengeInfo

LINK = "link"


class ChallengeRequest(BaseModel):
    """A challenge to make. `opponent`: a username, null (anybody in the lobby) or "link"."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "game": "jadejack",
                    "options": {"size": 9},
                    "opponent": None,
                    "side": "random",
                    "time_control": None,
                    "rated": False,
                }
            ]
        },
    )

    game: Annotated[str, Field(max_length=32)]
    options: dict[str, int] = {}
    opponent: Annotated[str, Field(max_length=64)] | None = None
    side: Annotated[str, Field(max_length=16)] = "random"
    time_control: None = None
    rated: Literal[False] | None = None

    @property
    def kind(self) -> str:
        """Give whom the challenge is for: open, link or direct."""
        if self.opponent is None:
            return "open"
        return "link" if self.opponent == LINK else "direct"


class ChallengeMade(BaseModel):
    """A challenge that was just made."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"id": "k7m2wq9xab", "url": "/challenges/k7m2wq9xab", "status": "open"}]
        }
    )

    id: str
    url: str
    status: str


class ChallengeShown(ChallengeMade):
    """A challenge with everything that one needs to know before accepting it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "k7m2wq9xab",
                    "url": "/challenges/k7m2wq9xab",
                    "status": "open",
                    "game": "jadejack",
                    "options": {"size": 9},
                    "kind": "open",
                    "maker": "wren",
                    "opponent": None,
                    "side": "random",
                    "game_id": None,
                    "created_at": "2026-01-01T12:00:00Z",
                }
            ]
        }
    )

    game: str
    options: dict[str, int]
    kind: Literal["open", "link", "direct"]
    maker: str
    opponent: str | None
    side: str
    game_id: str | None
    created_at: datetime

    @classmethod
    def of(cls, challenge: ChallengeInfo) -> "ChallengeShown":
        """Show a challenge."""
        return cls(
            id=challenge.id,
            url=f"/challenges/{challenge.id}",
            status=challenge.status,
            game=challenge.game,
            options=dict(challenge.options),
            kind=challenge.kind,
            maker=challenge.maker.username,
            opponent=challenge.opponent.username if challenge.opponent else None,
            side=challenge.side,
            game_id=challenge.game_id,
            created_at=challenge.created_at,
        )


class GameStarted(BaseModel):
    """The game that an accepted challenge started."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game_id": "m4x8k2pqrs"}]})

    game_id: str
