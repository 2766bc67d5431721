"""What Valkey shows of the server, for `gorrion status` and `gorrion doctor`."""

from dataclasses import dataclass

from app.core.realtime.roster import PROCESSES, life_key
from app.core.valkey import Valkey


@dataclass(frozen=True, slots=True)
class ValkeyStatus:
    """Valkey at one moment, with what the processes of the server note there."""

    version: str
    memory_bytes: int
    memory_policy: str
    """What it does when its memory is full: `noeviction` keeps all keys."""
    processes: int
    connections_to_the_site: int
    connections_to_games: int


async def read_valkey(url: str) -> ValkeyStatus:
    """Return the status of a Valkey. Raise one of `app.core.valkey.ERRORS` if it does not answer."""
    valkey = Valkey(url)
    info = await valkey.info()
    client = await valkey.open()
    try:
        lives = [await client.get(life_key(str(process))) for process in await client.smembers(PROCESSES)]
    finally:
        await client.aclose()
    totals = [[int(number) for number in str(life).split()] for life in lives if life]
    return ValkeyStatus(
        version=str(info.get("valkey_version") or info["redis_version"]),
        memory_bytes=info["used_memory"],
        memory_policy=info["maxmemory_policy"],
        processes=len(totals),
        connections_to_the_site=sum(site for site, _ in totals),
        connections_to_games=sum(games for _, games in totals),
    )
