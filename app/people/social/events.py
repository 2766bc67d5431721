"""What is published about relations between players."""

from app.core.events import Event, Topic, account_topic


class RelationsChanged(Event, frozen=True):
    """The relations between two players changed: following, muting or blocking."""

    accounts: tuple[int, int]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of both accounts."""
        return tuple(map(account_topic, self.accounts))
