"""What is published about studies."""

from app.core.events import Event, Topic


def study_topic(study_id: str) -> Topic:
    """Return the topic of one study."""
    return Topic(f"study:{study_id}")


class StudyChanged(Event, frozen=True):
    """A study was changed or deleted."""

    study_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the study."""
        return (study_topic(self.study_id),)
