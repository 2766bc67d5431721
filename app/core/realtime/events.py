"""What is published about who is connected."""

from app.core.events import Event, Topic, player_topic


def presence_topic(place: str) -> Topic:
    """Return the topic of who is present at a place, such as a game."""
    return Topic(f"presence:{place}")


class PresenceChanged(Event, frozen=True):
    """Someone came to a place or left it."""

    place: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the place."""
        return (presence_topic(self.place),)


class OnlineChanged(Event, frozen=True):
    """A player came online or went offline, or shows or hides it from now on."""

    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the player."""
        return (player_topic(self.account_id),)
