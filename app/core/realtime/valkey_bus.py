"""Events between processes by Valkey: a process receives the topics that it listens to, each on its channel.

Channels are sharded: in a cluster, a message passes only through the servers that have the channel's slot.
"""

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import Collection, Iterable

import msgspec
import structlog
from redis.asyncio.client import PubSub

from app.core.events import Event, EventDecoder, Resync, Topic, is_game_topic
from app.core.realtime.hub import Hub
from app.core.valkey import PREFIX, Client, Shards, Valkey, run_together

log = structlog.get_logger()

_PAUSE = 0.002  # seconds between two batches, in which events gather; the first is sent at once
_PING_EVERY = 1.0  # seconds
_LONGEST_SILENCE = 4.0  # seconds without a message or the answer to a ping: the connection is lost
_LOOK_EVERY = 2.0  # seconds between two looks at the games while Valkey is away
_LOOK_AT_ALL_AFTER = 10  # of these looks, one is at everything

_MOST_WAITING = 1000  # events to send, and topics of events that were not sent

_MISSED = ""  # the message that events of a topic were lost, so that readers look

_EVERYTHING = Topic("*")  # every process has this channel: what is missed there is missed by all readers

_encoder = msgspec.json.Encoder()


class ValkeyBus:
    """The bus of one process. It sends what is published, and subscribes to the topics of the hub."""

    def __init__(self, hub: Hub, valkey: Valkey) -> None:
        self._hub = hub
        self._origin = secrets.token_hex(8)
        self._decoder = EventDecoder()
        self.connected = asyncio.Event()
        self._filled = asyncio.Event()
        self._outbox: list[Event] = []
        self._missed: set[Topic] = set()  # topics of events that were not sent, or everything
        self._changed: set[Topic] = set()  # topics that have their first listener, or none any more
        self._subscribed: set[Topic] = set()
        self._unsubscribed: Counter[Topic] = Counter()  # until Valkey confirms it
        self._carried: set[Topic] = set()  # subscribed, and confirmed
        self._awaited: dict[Topic, asyncio.Future[None]] = {}
        hub.carrier = self
        valkey.carry(self._run)

    def publish(self, *events: Event) -> None:
        """Publish events to this process's hub now, and to the others with the next batch."""
        self._hub.publish(*events)
        if self.connected.is_set() and len(self._outbox) < _MOST_WAITING:
            self._outbox += events
        else:
            self._miss(events)
        if events:
            self._filled.set()

    def resync(self) -> None:
        """Let every reader of every process look again."""
        self._hub.resync()
        self._missed.add(_EVERYTHING)
        self._filled.set()

    def want(self, topic: Topic) -> None:
        """Subscribe to a topic or unsubscribe from it soon, whether it has listeners then or not."""
        self._changed.add(topic)
        self._filled.set()

    async def carries(self, topics: Collection[Topic]) -> None:
        """Return when all events of these topics come from now on, or at once while Valkey is away."""
        missing = set(topics).intersection(self._hub.topics) - self._carried
        if self.connected.is_set() and missing:
            create = asyncio.get_running_loop().create_future
            futures = [self._awaited.setdefault(topic, create()) for topic in missing]
            await asyncio.wait(futures, timeout=_LONGEST_SILENCE)

    def _miss(self, events: Iterable[Event]) -> None:
        """Note events that are not sent; of many, that everything was missed."""
        self._missed.update(*(event.topics for event in events))
        if len(self._missed) > _MOST_WAITING:
            self._missed = {_EVERYTHING}

    async def look_meanwhile(self) -> None:
        """While Valkey is away, let readers of games look every two seconds, all others every twenty."""
        for number in itertools.count(1):
            await asyncio.sleep(_LOOK_EVERY)
            if self.connected.is_set():
                continue
            if number % _LOOK_AT_ALL_AFTER:
                self._hub.resync(list(filter(is_game_topic, self._hub.topics)))
            else:
                self._hub.resync()

    async def _run(self, client: Client) -> None:
        shards = Shards(client)
        try:
            for server in shards.servers:
                await server.connect()  # type: ignore[no-untyped-call]
            self.connected.set()
            self._changed = {*self._hub.topics, _EVERYTHING}
            listening = [self._listen(server) for server in shards.servers]
            pinging = [_ping(server) for server in shards.servers]
            await run_together(self._send(client, shards), *listening, *pinging)
        finally:
            self._disconnect()
            await shards.close()

    def _disconnect(self) -> None:
        self.connected.clear()
        self._miss(self._outbox)
        self._outbox.clear()
        for state in (self._changed, self._subscribed, self._unsubscribed, self._carried):
            state.clear()
        for awaited in self._awaited.values():
            awaited.set_result(None)
        self._awaited.clear()

    async def _send(self, client: Client, shards: Shards) -> None:
        while True:
            await self._subscribe(shards)
            await self._publish(client)
            await asyncio.sleep(_PAUSE)
            await self._filled.wait()
            self._filled.clear()

    async def _subscribe(self, shards: Shards) -> None:
        """Subscribe to the topics that are listened to now, and to no others."""
        changed, self._changed = self._changed, set()
        wanted = changed.intersection({*self._hub.topics, _EVERYTHING})
        for topic in self._awaited.keys() & (changed - wanted):
            self._awaited.pop(topic).set_result(None)  # whoever waited has left
        unwanted = (changed - wanted) & self._subscribed
        self._carried -= unwanted
        self._subscribed -= unwanted
        self._unsubscribed.update(unwanted)
        for server, channels in shards.group(map(_channel, unwanted)):
            await server.sunsubscribe(*channels)
        new = wanted - self._subscribed
        self._subscribed |= new
        for server, channels in shards.group(map(_channel, new)):
            await server.ssubscribe(*channels)

    async def _publish(self, client: Client) -> None:
        outbox, self._outbox = self._outbox, []
        missed, self._missed = self._missed, set()
        if not outbox and not missed:
            return
        try:
            pipeline = client.pipeline(transaction=False)
            for event in outbox:
                message = self._origin + _encoder.encode([event]).decode()
                for topic in event.topics:
                    pipeline.execute_command("SPUBLISH", _channel(topic), message)
            for topic in missed:
                pipeline.execute_command("SPUBLISH", _channel(topic), self._origin + _MISSED)
            await pipeline.execute()
        except BaseException:
            self._missed |= missed
            self._miss(outbox)
            raise

    async def _listen(self, server: PubSub) -> None:
        while True:
            message = await server.get_message(timeout=_LONGEST_SILENCE)
            match message:
                case None:
                    raise TimeoutError("Valkey is silent")
                case {"type": "smessage", "channel": channel, "data": text}:
                    self._heard(channel, text)
                case {"type": "ssubscribe", "channel": channel}:
                    self._confirm(_topic(channel))
                case {"type": "sunsubscribe", "channel": channel}:
                    self._released(_topic(channel))

    def _heard(self, channel: str, text: str) -> None:
        if text.startswith(self._origin):
            return
        topic, encoded = _topic(channel), text[len(self._origin) :]
        if encoded == _MISSED:
            self._hub.resync(None if topic == _EVERYTHING else [topic])
            return
        for event in self._decoder.decode(encoded):
            if isinstance(event, Resync):
                self._hub.resync([topic])
            else:
                self._hub.deliver(event, topic)  # its other topics have messages of their own

    def _confirm(self, topic: Topic) -> None:
        if topic not in self._subscribed:
            return
        self._carried.add(topic)
        # What was published before Valkey had the subscription is lost.
        self._hub.resync([topic])
        if topic in self._awaited:
            self._awaited.pop(topic).set_result(None)

    def _released(self, topic: Topic) -> None:
        if not self._unsubscribed[topic]:
            raise ConnectionResetError("the cluster has moved a channel")
        self._unsubscribed[topic] -= 1
        if not self._unsubscribed[topic]:
            del self._unsubscribed[topic]


async def _ping(server: PubSub) -> None:
    while True:
        await asyncio.sleep(_PING_EVERY)
        await server.ping()


def _channel(topic: Topic) -> str:
    return PREFIX + topic


def _topic(channel: str) -> Topic:
    return Topic(channel.removeprefix(PREFIX))
