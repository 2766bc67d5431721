"""What is published about notifications."""

from app.core.events import AccountsEvent


class InboxChanged(AccountsEvent, frozen=True):
    """Accounts have new notifications, or have read some."""
