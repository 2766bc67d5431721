"""Relations between players in the JSON API."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

from app.people.identity.models import Account

_NAMED: dict[str, Any] = {"username": "finch"}


class Named(BaseModel):
    """A player by name."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NAMED]})

    username: str


class NamedPlayers(BaseModel):
    """Players by name."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"players": [_NAMED]}]})

    players: list[Named]

    @classmethod
    def of(cls, accounts: Iterable[Account]) -> "NamedPlayers":
        """Return accounts as the API shows them."""
        return cls(players=[Named(username=account.username) for account in accounts])
