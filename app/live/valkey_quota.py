"""Limits on live connections that hold for all processes together."""

import contextlib
import hashlib
from collections.abc import AsyncIterator

from app.core.realtime.roster import Number, Roster
from app.core.valkey import PREFIX, Valkey
from app.live.quota import MemoryQuota, refuse


class ValkeyQuota:
    """Counts the connections of all processes; while Valkey is away, those of this process."""

    def __init__(self, valkey: Valkey, roster: Roster, kind: str, most: float) -> None:
        self._valkey = valkey
        self._roster = roster
        self._prefix = f"{PREFIX}{kind}:"
        self._own = MemoryQuota(most)

    async def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""
        await self._own.check(who)
        if await self._total(who) >= self._own.most:
            refuse()

    @contextlib.asynccontextmanager
    async def hold(self, who: int | str) -> AsyncIterator[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        try:
            async with self._own.hold(who):
                self._put(who)
                # First the count, then the look at all of them: of two processes, one sees both.
                await self._roster.stored()
                if await self._total(who) > self._own.most:
                    refuse()
                yield
        finally:
            self._put(who)

    def _put(self, who: int | str) -> None:
        self._roster.put(Number(self._key(who), ""), self._own.open[who])

    async def _total(self, who: int | str) -> int:
        numbers = await self._valkey.ask(lambda client: client.hvals(self._key(who)))
        return sum(map(int, numbers or ()))

    def _key(self, who: int | str) -> str:
        """Return the key of an account or address, which does not show whose it is."""
        return self._prefix + hashlib.sha256(str(who).encode()).hexdigest()
