"""Relations between players in the JSON API."""

from pydantic import BaseModel

from app.core.web.shown import Shown, Username


class Named(Shown):
    """A player by name."""

    username: Username


class NamedPlayers(BaseModel):
    """Players by name."""

    players: list[Named]
