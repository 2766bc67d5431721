"""Events of all features."""

import msgspec

from app.core.events import AccountsEvent, Event, account_topic, any_event
from app.core.feature import import_all


class Base(Event, frozen=True):
    """What two kinds of events have in common."""

    subject: str


class First(Base, frozen=True):
    """A kind of events."""


class Second(Base, frozen=True):
    """A kind of events."""

    accounts: tuple[int, ...]


def test_kinds_of_events_with_a_common_base_are_told_apart_on_the_bus():
    decoder = msgspec.json.Decoder(any_event())
    for event in (First("a"), Second("a", (1, 2))):
        assert decoder.decode(msgspec.json.encode(event)) == event


def test_events_of_accounts_have_their_topics():
    import_all("events")
    kinds = AccountsEvent.__subclasses__()
    assert len(kinds) >= 4
    for kind in kinds:
        others = {field.name: "" for field in msgspec.structs.fields(kind) if field.name != "accounts"}
        assert kind(accounts=(1, 2), **others).topics == (account_topic(1), account_topic(2))
