"""What is published about notifications."""

from app.core.events import Event, Topic, account_topic


class InboxChanged(Event, frozen=True):
    """Accounts have new notifications, or have read some."""

    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the accounts."""
        return tuple(map(account_topic, self.accounts))
