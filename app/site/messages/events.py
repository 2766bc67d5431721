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


class MessageRemoved(Event, frozen=True):
    """A moderator has removed the text of a message."""

    author_id: int
    reader_id: int
    message_id: int = 0

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of both accounts."""
        return (account_topic(self.author_id), account_topic(self.reader_id))


class MessagesRead(Event, frozen=True):
    """An account has read messages of a player, up to an id or (None) all of them."""

    account_id: int
    username: str = ""
    until: int | None = None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the account."""
        return (account_topic(self.account_id),)
