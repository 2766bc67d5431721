"""What is published about relations between players."""

from app.core.events import AccountsEvent


class RelationsChanged(AccountsEvent, frozen=True):
    """The relations between two players changed: following, muting or blocking."""
