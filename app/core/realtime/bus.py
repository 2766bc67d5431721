"""Events between processes. They are hints: readers cope with lost, repeated and late ones."""

from typing import Protocol

from app.core.events import Event
from app.core.realtime.hub import Hub


class Bus(Protocol):
    """Carries events to the hub of every process, this one included."""

    def publish(self, *events: Event) -> None:
        """Publish events that are committed. Return at once."""

    def resync(self) -> None:
        """Let every reader of every process look again: events may have been lost. Return at once."""


class MemoryBus:
    """The bus of a server with a single process."""

    def __init__(self, hub: Hub) -> None:
        self.publish = hub.publish
        self.resync = hub.resync
