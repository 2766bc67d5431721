"""What a player's profile offers and says."""

from collections.abc import Sequence

from app.identity.models import Account
from app.web.render import date
from engine.registry import GAMES

FILTERS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("game", "Game", (("", "All games"), *((key, rules.title) for key, rules in GAMES.items()))),
    ("rated", "Rated", (("", "Rated or casual"), ("yes", "Rated"), ("no", "Casual"))),
    ("status", "State", (("", "Under way or over"), ("started", "Under way"), ("finished", "Over"))),
)
"""The selects that narrow down the list of games: name, label, pairs of value and text."""


def description(account: Account) -> str:
    """Return what kind of player an account is, and since when."""
    if account.closed_at:
        return "This account was closed."
    if account.computer_level:
        return (
            f"A computer player of this server, level {account.computer_level}. "
            "It is always here, takes every challenge to a casual game and plays for no rating."
        )
    if account.is_computer:
        return "A computer: a program plays with this account."
    return "A guest." if account.is_guest else f"Here since {date(account.created_at)}."
