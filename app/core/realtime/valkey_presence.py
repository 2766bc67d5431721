"""Presence in Valkey: for each game and for the site who is there, and for each account where it is.

While Valkey is away, a process knows its own connections only, and counts nobody as absent.
"""

import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterable
from datetime import datetime

from app.core.moments import now, to_datetime
from app.core.realtime.bus import Bus
from app.core.realtime.presence import ABSENT_AFTER, SITE, Attendance, PresenceAnnouncer
from app.core.realtime.roster import Mark, Number, Roster
from app.core.valkey import PREFIX, Client, Valkey

_PLACE = f"{PREFIX}place:"  # hash of a place: for each process and account, its connections
_ACCOUNT = f"{PREFIX}account:"  # hash of an account: for each process and place, its connections
_LEFT = f"{PREFIX}departures:"  # sorted set of an account: places, by when one was last left (ms)
_OWED = f"{PREFIX}owed:"  # an account whose departure a process that ended has not told any more; no hash
_KEPT = 600  # seconds that closed connections are remembered
_STRANGER = "-"


class ValkeyPresence:
    """The presence of one process."""

    def __init__(self, valkey: Valkey, roster: Roster, bus: Bus) -> None:
        self.departures = PresenceAnnouncer(bus, self.gone)
        self._valkey = valkey
        self._roster = roster
        self._here: defaultdict[str, Counter[int | None]] = defaultdict(Counter)
        roster.when_dead(self._note_dead)
        roster.when_leaving(self._owed)
        roster.show(self._totals)

    @property
    def watching_since(self) -> int | None:
        """The moment since which this process would have seen anyone come, or None while it might not."""
        return self._roster.joined_at

    @contextlib.asynccontextmanager
    async def here(self, account_id: int | None, *places: str) -> AsyncIterator[None]:
        """Count an account (None: a stranger) as being at places for as long as this context lasts."""
        for place in places:
            self._here[place][account_id] += 1
            self._put(account_id, place)
        try:
            self._roster.then(lambda: self.departures.arrive([(account_id, place) for place in places]))
            await self._roster.stored()
            yield
        finally:
            for place in places:
                self._leave(account_id, place)
            self._roster.then(lambda: self.departures.note([(account_id, place) for place in places]))

    def seen(self, account_id: int, place: str) -> None:
        """Note a page load or a move by HTTP: a sign of life, also without an open connection."""
        if account_id not in self._at(place):
            self._mark(account_id, place)

    async def online(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are connected, or were a moment ago."""
        online = await self._valkey.ask(lambda client: _online(client, account_ids))
        if online is None:
            return frozenset(account_id for account_id in account_ids if account_id in self._at(SITE))
        return online

    async def gone(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are connected nowhere, and were not a moment ago.

        Nobody is known to be gone while Valkey is away, or does not know the connections of this process.
        """
        online = await self._valkey.ask(lambda client: _online(client, account_ids))
        if online is None or self.watching_since is None:
            return frozenset()
        return frozenset(account_ids) - online

    async def at(self, place: str) -> Attendance:
        """Return who is at a place."""
        fields = await self._valkey.ask(lambda client: client.hgetall(f"{_PLACE}{place}"))
        if fields is None:
            return _attendance(self._at(place).items())
        return _attendance((_account(str(field)), int(number)) for field, number in fields.items())

    async def absent_since(self, account_id: int, *places: str) -> tuple[bool, datetime | None]:
        """Return whether an account is absent from all these places, and since when (None: it never came)."""
        answer = await self._valkey.ask(lambda client: _absent_since(client, account_id, places))
        return (False, None) if answer is None else answer

    def _at(self, place: str) -> Counter[int | None]:
        return self._here.get(place, Counter())

    def _put(self, account_id: int | None, place: str) -> None:
        number = self._at(place)[account_id]
        account = _STRANGER if account_id is None else str(account_id)
        self._roster.put(Number(f"{_PLACE}{place}", account), number)
        if account_id is not None:
            self._roster.put(Number(f"{_ACCOUNT}{account_id}", place), number)

    def _leave(self, account_id: int | None, place: str) -> None:
        here = self._here[place]
        here[account_id] -= 1
        if not here[account_id]:
            del here[account_id]
        if not here:
            del self._here[place]
        if account_id is not None:
            self._mark(account_id, place)
        self._put(account_id, place)

    def _mark(self, account_id: int, place: str) -> None:
        self._roster.mark(Mark(f"{_LEFT}{account_id}", place, now(), _KEPT))

    def _note_dead(self, numbers: Collection[Number]) -> None:
        """Note the departures from a process that ended: the absence of who was there then begins now."""
        visits = _visits(numbers, _ACCOUNT)
        for account_id, place in visits:
            self._mark(account_id, place)
        visits += _visits(numbers, _OWED)
        places = {number.key.removeprefix(_PLACE) for number in numbers if number.key.startswith(_PLACE)}
        self._roster.then(lambda: self.departures.announce(places))
        self._roster.then(lambda: self.departures.note(visits))

    def _owed(self) -> list[Number]:
        """Return the departures that this process does not tell any more, those of who is still here too."""
        staying = [
            (account_id, place) for place, here in self._here.items() for account_id in here if account_id
        ]
        for account_id, place in staying:
            self._mark(account_id, place)
        return [Number(f"{_OWED}{account_id}", place) for account_id, place in self.departures.owed + staying]

    def _totals(self) -> str:
        """Return how many connections there are to the site, and to games."""
        site = self._at(SITE).total()
        games = sum(here.total() for place, here in self._here.items() if place != SITE)
        return f"{site} {games}"


def _visits(numbers: Iterable[Number], prefix: str) -> list[tuple[int, str]]:
    """Return the accounts and places of the numbers whose keys begin with a prefix."""
    of_prefix = (number for number in numbers if number.key.startswith(prefix))
    return [(int(number.key.removeprefix(prefix)), number.name) for number in of_prefix]


def _account(field: str) -> int | None:
    """Return the account of a field in the hash of a place."""
    account = field.rpartition(":")[2]
    return None if account == _STRANGER else int(account)


def _attendance(here: Iterable[tuple[int | None, int]]) -> Attendance:
    connections = Counter[int | None]()
    for account_id, number in here:
        connections[account_id] += number
    strangers = connections.pop(None, 0)
    return Attendance(frozenset(account for account in connections if account is not None), strangers)


async def _online(client: Client, account_ids: Collection[int]) -> frozenset[int]:
    pipeline = client.pipeline(transaction=False)
    since = now() - ABSENT_AFTER * 1000
    for account_id in account_ids:
        pipeline.exists(f"{_ACCOUNT}{account_id}")
        pipeline.zcount(f"{_LEFT}{account_id}", since, "+inf")
    answers = iter(await pipeline.execute())
    return frozenset(
        account_id
        for account_id, is_here, left in zip(account_ids, answers, answers, strict=True)
        if is_here or left
    )


async def _absent_since(
    client: Client, account_id: int, places: Collection[str]
) -> tuple[bool, datetime | None]:
    pipeline = client.pipeline(transaction=False)
    pipeline.hkeys(f"{_ACCOUNT}{account_id}")
    pipeline.zmscore(f"{_LEFT}{account_id}", list(places))
    fields, left = await pipeline.execute()
    if any(field.partition(":")[2] in places for field in fields):
        return False, None
    moments = [int(moment) for moment in left if moment is not None]
    return True, to_datetime(max(moments)) if moments else None
