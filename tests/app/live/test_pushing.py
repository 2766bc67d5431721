"""Pushes: each event is rendered once, in order."""

import asyncio

import pytest

from app.core.events import Resync
from app.core.realtime.events import PresenceChanged, presence_topic
from app.core.realtime.hub import Hub
from app.core.web.render import fingerprint
from app.live import pushing
from app.live.connections import Stream
from app.live.pushing import push, push_lines
from app.live.sharing import SharedReading
from app.play.lobby.challenges import LOBBY
from app.play.pairing.searches import SearchChanged
from app.play.solitaire.races import race_topic
from tests.support.waiting import WITHIN

TOPIC = presence_topic("a")
EVENT = PresenceChanged("a")


async def next_line(lines):
    async with asyncio.timeout(WITHIN):
        return await anext(lines)


async def test_the_start_and_each_event_are_rendered_in_order():
    hub = Hub()
    stream = Stream(hub, None)

    async def render(event, subscription):
        if event is None:
            hub.publish(EVENT)  # while the start is being rendered
            subscription.listen_to(TOPIC, race_topic("1"))
        return type(event).__name__

    push(stream, render, TOPIC)
    lines = stream.lines()
    assert [await next_line(lines) for _ in range(3)] == [b"NoneType\n", b"PresenceChanged\n", b"Resync\n"]
    hub.resync([race_topic("1")])
    hub.publish(EVENT)
    # An event does not wait for the turn of those who look again.
    assert [await next_line(lines) for _ in range(2)] == [b"PresenceChanged\n", b"Resync\n"]
    await stream.release()


async def test_an_event_of_a_new_topic_is_not_missed_between_reading_and_listening():
    hub, friends, new = Hub(), ["a"], presence_topic("b")
    stream = Stream(hub, None)

    async def render(_event, subscription):
        shown = " ".join(friends)
        if len(friends) == 1:
            friends.append("b")
            hub.publish(PresenceChanged("b"))
        subscription.listen_to(TOPIC, new)
        return shown

    push(stream, render, TOPIC)
    lines = stream.lines()
    assert [await next_line(lines) for _ in range(2)] == [b"a\n", b"a b\n"]
    hub.publish(PresenceChanged("b"))
    assert await next_line(lines) == b"a b\n"  # and no second Resync
    await stream.release()


async def test_a_render_that_fails_while_the_database_is_away_is_repeated_as_a_resync():
    hub = Hub()
    stream, seen = Stream(hub, None), []

    async def render(event, _subscription):
        seen.append(event)
        if seen == [None, EVENT]:
            raise ConnectionRefusedError
        return f"shown {len(seen)}"

    push(stream, render, TOPIC)
    lines = stream.lines()
    await next_line(lines)
    hub.publish(EVENT)
    await next_line(lines)
    assert seen == [None, EVENT, Resync()]
    await stream.release()


async def test_pages_that_cannot_be_rendered_keep_no_other_from_catching_up(monkeypatch):
    monkeypatch.setattr(pushing, "_RENDER_AGAIN_AFTER", 0.01)
    hub, failed = Hub(), asyncio.Event()

    async def render(event, _subscription):
        if event is not None:
            failed.set()
            await asyncio.sleep(0.01)
            raise TimeoutError
        return "shown"

    async def render_at_once(event, _subscription):
        return type(event).__name__

    streams = [Stream(hub, None) for _ in range(20)]
    for stream in streams:
        push(stream, render, TOPIC)
        await next_line(stream.lines())
    hub.resync()
    await failed.wait()
    quick = Stream(hub, None)
    push(quick, render_at_once, TOPIC)
    lines = quick.lines()
    await next_line(lines)
    for event in (EVENT, Resync(), EVENT, Resync()):
        hub.resync() if event == Resync() else hub.publish(event)
        async with asyncio.timeout(5):
            assert await anext(lines) == f"{type(event).__name__}\n".encode()
    for stream in (*streams, quick):
        await stream.release()


async def test_an_event_that_waits_already_is_rendered_once():
    hub = Hub()
    stream, seen = Stream(hub, None), []

    async def render(event, _subscription):
        if event is None:
            for _ in range(100):  # more than may wait
                hub.publish(EVENT)
                hub.resync([TOPIC])
        elif len(seen) == 1:
            hub.publish(EVENT)  # while it is being rendered, it may be out of date already
        seen.append(event)
        return f"shown {len(seen)}"

    push(stream, render, TOPIC)
    lines = stream.lines()
    for _ in range(4):
        await next_line(lines)
    assert seen == [None, EVENT, EVENT, Resync()]
    await stream.release()


async def test_what_is_looked_at_again_is_sent_only_if_it_has_changed():
    hub, shown = Hub(), ["a"]
    stream = Stream(hub, None)

    async def render(_event, _subscription):
        return shown[-1]

    push(stream, render, TOPIC)
    lines = stream.lines()
    assert await next_line(lines) == b"a\n"
    hub.resync([TOPIC])
    await asyncio.sleep(0.1)
    shown.append("b")
    hub.resync([TOPIC])
    assert await next_line(lines) == b"b\n"
    hub.publish(EVENT)
    assert await next_line(lines) == b"b\n"  # an event tells of a change
    await stream.release()


@pytest.mark.parametrize("page", ["a", "b"])
async def test_what_a_page_shows_already_is_not_sent_at_first(page):
    hub, shown = Hub(), ["a"]
    stream = Stream(hub, None)

    async def render(_event, _subscription):
        return shown[-1]

    push(stream, render, TOPIC, shown=fingerprint(page))
    lines = stream.lines()
    assert await next_line(lines) == (b"\n" if page == "a" else b"a\n")
    shown.append("c")
    hub.publish(EVENT)
    assert await next_line(lines) == b"c\n"
    await stream.release()


@pytest.mark.parametrize(
    ("send", "sent"), [(push_lines, ["turn", "turn", "end"]), (push, ["turn", "end"])], ids=["lines", "page"]
)
async def test_what_is_the_same_again_is_a_new_line_but_the_same_page(send, sent):
    hub = Hub()
    stream, texts, rendered = Stream(hub, None), ["turn", "", "turn", "end"], asyncio.Queue()

    async def render(event, _subscription):
        rendered.put_nowait(event)
        return texts.pop(0)

    async def is_rendered():
        async with asyncio.timeout(WITHIN):
            await rendered.get()

    subscription = send(stream, render, TOPIC)
    await is_rendered()
    for happen in (lambda: hub.publish(EVENT), subscription.look, lambda: hub.publish(EVENT)):
        happen()
        await is_rendered()
    lines = stream.lines()
    assert [await next_line(lines) for _ in sent] == [f"{text}\n".encode() for text in sent]
    await stream.release()


async def test_of_equal_events_the_later_one_is_read_for():
    hub, stored, gates, busy = Hub(), ["searching"], [], asyncio.Event()

    async def read():
        seen, gate = stored[-1], asyncio.Event()
        gates.append(gate)
        await gate.wait()
        return seen

    listing = SharedReading(read)

    async def quick(event, _subscription):
        return "start" if event is None else await listing.after(event)

    async def slow(event, _subscription):
        if event is None:
            return "start"
        if event == EVENT:
            await busy.wait()
            return "busy"
        return await listing.after(event)

    streams = [Stream(hub, None), Stream(hub, None)]
    push(streams[0], quick, LOBBY)
    push(streams[1], slow, LOBBY, TOPIC)
    lines = [stream.lines() for stream in streams]
    for each in lines:
        await next_line(each)
    await asyncio.sleep(0.01)
    hub.publish(EVENT)  # the slow one is busy with this
    await asyncio.sleep(0.01)
    hub.publish(SearchChanged(1))
    await asyncio.sleep(0.01)
    stored.append("ended")
    hub.publish(SearchChanged(1))
    busy.set()
    await asyncio.sleep(0.01)
    for _ in range(3):
        for gate in gates:
            gate.set()
        await asyncio.sleep(0.01)
    assert [await next_line(lines[1]) for _ in range(2)] == [b"busy\n", b"ended\n"]
    for stream in streams:
        await stream.release()
