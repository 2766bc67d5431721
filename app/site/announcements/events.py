"""What is published about announcements."""

from app.core.events import Event, Topic

ANNOUNCEMENTS = Topic("announcements")


class AnnouncementChanged(Event, frozen=True):
    """An administrator announced something, or took it back."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of announcements."""
        return (ANNOUNCEMENTS,)
