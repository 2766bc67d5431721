"""What is published about an account's data."""

from app.core.events import Event, Topic, account_topic


class ExportReady(Event, frozen=True):
    """The file with the data of an account can be fetched."""

    account_id: int
    export_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the account."""
        return (account_topic(self.account_id),)
