"""What is published about announcements."""

from typing import ClassVar

from app.core.events import Event, Topic

ANNOUNCEMENTS = Topic("announcements")


class AnnouncementChanged(Event, frozen=True):
    """An administrator announced something, or took it back."""

    topics: ClassVar = (ANNOUNCEMENTS,)
