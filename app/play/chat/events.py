"""What is published about chat."""

from app.core.events import Event, Topic


def chat_topic(place: str) -> Topic:
    """Return the topic of what is said beside a game or in a tournament."""
    return Topic(f"chat:{place}")


class ChatSaid(Event, frozen=True):
    """Somebody said something in a room: a text, or the greeting with a key.

    `place` is the id of a game, or of a tournament, whose only room is `tournament`. `at` is a moment in
    milliseconds since the epoch.
    """

    place: str
    room: str
    id: int
    account_id: int
    username: str
    text: str | None
    greeting: str | None
    at: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the game's chat."""
        return (chat_topic(self.place),)
