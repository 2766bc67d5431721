"""What is published about messages."""

from app.core.events import Event, Topic, account_topic


class MessageSent(Event, frozen=True):
    """A player sent a message to another one."""

    message_id: int
    author_id: int
    reader_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of both accounts."""
        return (account_topic(self.author_id), account_topic(self.reader_id))


class MessagesRead(Event, frozen=True):
    """An account has read messages."""

    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the account."""
        return (account_topic(self.account_id),)
