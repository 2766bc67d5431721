"""Counting limited actions in Valkey, for all processes together."""

from app.core.valkey import PREFIX, Client, Valkey
from app.core.web.throttle import Counts, Limit, digest

# The window begins with its first action, by Valkey's clock, which no process can set wrong.
_COUNT = """
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('TTL', KEYS[1])}
"""


class ValkeyCounts:
    """Counts everything in Valkey; while that is away, as a server without it."""

    def __init__(self, valkey: Valkey, meanwhile: Counts) -> None:
        self._valkey = valkey
        self._meanwhile = meanwhile

    async def count(self, limit: Limit, who: str, times: int = 1) -> int | None:
        """Count an action of `who`, as `Counts` says."""
        key = f"{PREFIX}limit:{digest(limit, who).hex()}"

        async def ask(client: Client) -> tuple[int, int]:
            hits, seconds = await client.eval(_COUNT, 1, key, str(limit.seconds))
            return hits, seconds

        counted = await self._valkey.ask(ask)
        if counted is None:
            return await self._meanwhile.count(limit, who, times)
        hits, seconds = counted
        return seconds if hits > limit.most * times else None
