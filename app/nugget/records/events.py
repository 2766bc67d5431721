"""What is published when records change. Open pages of records follow the rankings."""

from app.core.events import AccountsEvent


class RecordBeaten(AccountsEvent, frozen=True):
    """Accounts have lost records of Golden Nugget."""
