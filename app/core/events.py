"""Events, and the topics that carry them. Those of a feature are in its own `events.py`.

Events describe what is already committed. A listener may miss some (a lost connection, a full queue): it
then receives `Resync` or is closed, and reads what it shows from PostgreSQL again.
"""

from collections.abc import Iterator
from typing import Any, NewType, Union

import msgspec
import structlog

log = structlog.get_logger()

Topic = NewType("Topic", str)
"""What listeners subscribe to."""


def game_topic(game_id: str) -> Topic:
    """Return the topic of one game."""
    return Topic(f"game:{game_id}")


def is_game_topic(topic: Topic) -> bool:
    """Return whether a topic is that of one game."""
    return topic.startswith("game:")


def account_topic(account_id: int) -> Topic:
    """Return the topic of what concerns one account."""
    return Topic(f"account:{account_id}")


def player_topic(account_id: int) -> Topic:
    """Return the topic of what everybody may know of a player: coming, leaving and playing."""
    return Topic(f"player:{account_id}")


class Fact(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A value that the bus carries as a JSON array: the name of its class, then its fields."""


class Event(Fact, frozen=True):
    """Something that happened, with the topics of those whom it concerns."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics that carry the event."""
        raise NotImplementedError


class AccountsEvent(Event, frozen=True):
    """Something that happened to some accounts."""

    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the accounts."""
        return tuple(map(account_topic, self.accounts))


class Resync(Fact, frozen=True):
    """Events may have been lost, so read PostgreSQL. Every listener receives it, whatever its topics."""


class EventDecoder:
    """Reads what other processes publish, by the kinds of events that this one has imported."""

    def __init__(self) -> None:
        kinds: tuple[type[Fact], ...] = (*_kinds(Event), Resync)
        self._names = {kind.__name__ for kind in kinds}
        self._type: Any = list[Union[kinds]]  # type: ignore[valid-type]  # noqa: UP007 - of a tuple
        self._decoder = msgspec.json.Decoder(self._type)

    def decode(self, message: str) -> list[Event | Resync]:
        """Return the events of a JSON array, but those of kinds that nothing in this process reads.

        Resync stands for what is damaged, or was written by another version.
        """
        try:
            events: list[Event | Resync] = self._decoder.decode(message)
        except msgspec.DecodeError:
            events = list(self._decode_each(message))
        return events

    def _decode_each(self, message: str) -> Iterator[Event | Resync]:
        try:
            for fact in msgspec.json.decode(message, type=list[tuple[Any, ...]]):
                match fact:
                    case (str(name), *_) if name not in self._names:
                        continue
                    case _:
                        yield from msgspec.convert([fact], self._type)
        except msgspec.DecodeError as error:
            log.warning("bus_message_unreadable", error=str(error))
            yield Resync()


def _kinds(base: type[Event]) -> Iterator[type[Event]]:
    """Yield the classes that are derived from a class, but not those from which others are."""
    for kind in base.__subclasses__():
        yield from _kinds(kind) if kind.__subclasses__() else [kind]
