"""Events of all features."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import AccountsEvent, Event, EventDecoder, Resync, account_topic
from app.core.importing import import_all


class Base(Event, frozen=True):
    """What two kinds of events have in common."""

    subject: str


class First(Base, frozen=True):
    """A kind of events."""


class Second(Base, frozen=True):
    """A kind of events."""

    accounts: tuple[int, ...]


KNOWN = st.builds(First, st.text()) | st.builds(Second, st.text(), st.lists(st.integers(1, 9)).map(tuple))
UNKNOWN = st.tuples(st.sampled_from(["Later", ""]), st.integers() | st.text())
DAMAGED = st.sampled_from([("First",), ("First", 1), ("Second", "a", ["b"]), (), (1,), "First", None])


def _message(facts):
    return msgspec.json.encode(facts).decode()


@given(st.lists(KNOWN | UNKNOWN))
def test_events_of_kinds_that_nothing_reads_cost_the_others_nothing(facts):
    assert EventDecoder().decode(_message(facts)) == [fact for fact in facts if isinstance(fact, Event)]


@given(st.lists(KNOWN | UNKNOWN), DAMAGED)
def test_readers_look_again_if_an_event_is_damaged(facts, damaged):
    *events, last = EventDecoder().decode(_message([*facts, damaged]))
    assert last == Resync()
    assert set(events) <= set(facts)


@given(st.text())
def test_readers_look_again_if_a_message_is_no_list_of_events(text):
    assert EventDecoder().decode(text + "[") == [Resync()]


def test_events_of_accounts_have_their_topics():
    import_all("events")
    kinds = AccountsEvent.__subclasses__()
    assert len(kinds) >= 4
    for kind in kinds:
        others = {field.name: "" for field in msgspec.structs.fields(kind) if field.name != "accounts"}
        assert kind(accounts=(1, 2), **others).topics == (account_topic(1), account_topic(2))
