"""What is published about races."""

from app.core.events import Event, Topic


def race_topic(race_id: str) -> Topic:
    """Return the topic of one race."""
    return Topic(f"race:{race_id}")


class RaceChanged(Event, frozen=True):
    """A player joined a race."""

    race_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the race."""
        return (race_topic(self.race_id),)
