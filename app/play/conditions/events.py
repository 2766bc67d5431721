"""What is published about conditional moves."""

from app.core.events import Event, Topic


def conditions_topic(game_id: str) -> Topic:
    """Return the topic of the conditional moves in a game."""
    return Topic(f"conditions:{game_id}")


class ConditionsChanged(Event, frozen=True):
    """A player has changed their conditional moves in a game, or some of them were played or dropped."""

    game_id: str
    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the conditional moves in the game."""
        return (conditions_topic(self.game_id),)
