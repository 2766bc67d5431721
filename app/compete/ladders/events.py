"""What is published about ladders."""

from app.core.events import Event, Topic


def ladder_topic(game: str) -> Topic:
    """Return the topic of the ladder of one game."""
    return Topic(f"ladder:{game}")


class LadderChanged(Event, frozen=True):
    """The order, the players or the challenges of a game's ladder changed."""

    game: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the ladder."""
        return (ladder_topic(self.game),)
