"""Relations between players in the JSON API."""

from collections.abc import Iterable

from pydantic import BaseModel

from app.core.web.shown import Username
from app.people.identity.models import Account


class Named(BaseModel):
    """A player by name."""

    username: Username


class NamedPlayers(BaseModel):
    """Players by name."""

    players: list[Named]

    @classmethod
    def of(cls, accounts: Iterable[Account]) -> "NamedPlayers":
        """Return accounts as the API shows them."""
        return cls(players=[Named(username=account.username) for account in accounts])
