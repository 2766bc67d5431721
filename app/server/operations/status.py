"""What the server is doing, as its database and its Valkey show it."""

from dataclasses import dataclass
from datetime import datetime

from app.core.database.session import APPLICATION, connected

_COUNTED_IN_VALKEY = ("connections_to_the_site", "connections_to_games")

# Names are `gorrion <role> <process id> <host>`, see `Database.open`. Commands are not listed.
_PROCESSES = """
SELECT application_name, count(*) AS connections, min(backend_start) AS since FROM pg_stat_activity
WHERE datname = current_database() AND application_name ~ $1
GROUP BY application_name ORDER BY application_name
"""

# Of games that have just ended, the moves are not counted: no index finds those games.
_SUMMARY = """
SELECT (SELECT extract(epoch FROM clock_timestamp() - beat_at)::float8
        FROM heartbeat) AS heartbeat_seconds_ago,
       (SELECT count(*) FROM games WHERE status = 'started') AS games_under_way,
       (SELECT count(*) FROM games JOIN moves ON game_id = id AND moves.ply > games.ply - 120
        WHERE status = 'started' AND updated_at > now() - interval '1 minute'
          AND played_at > now() - interval '1 minute') AS moves_in_last_minute,
       (SELECT count(*) FROM connections JOIN processes ON processes.id = process_id
        WHERE left_at IS NULL AND place = '') AS connections_to_the_site,
       (SELECT count(*) FROM connections JOIN processes ON processes.id = process_id
        WHERE left_at IS NULL AND place <> '') AS connections_to_games,
       pg_database_size(current_database()) AS database_bytes
"""

_JOBS = """
SELECT entrypoint AS kind, count(*) FILTER (WHERE status = 'queued') AS waiting,
       count(*) FILTER (WHERE status = 'picked') AS running
FROM pgqueuer GROUP BY entrypoint ORDER BY entrypoint
"""


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """A process of the server with its connections to the database; `role` is web or worker."""

    role: str
    pid: int
    host: str
    connections: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of one kind."""

    kind: str
    waiting: int
    running: int


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


@dataclass(frozen=True, slots=True)
class Status:
    """The server at one moment. `moves_in_last_minute` are those of games that are under way."""

    processes: list[ProcessStatus]
    heartbeat_seconds_ago: float
    games_under_way: int
    moves_in_last_minute: int
    connections_to_the_site: int | None
    """None if the server has a Valkey that does not answer, since only that knows."""
    connections_to_games: int | None
    database_bytes: int
    jobs: list[Jobs]
    valkey: ValkeyStatus | None
    """None if the server has no Valkey, or one that does not answer."""


async def read_status(url: str, valkey_url: str | None) -> Status:
    """Return the status of the server with this database; with a Valkey, that counts the connections.

    Raise OSError or one of asyncpg's errors if the database does not answer.
    """
    valkey = None if valkey_url is None else await _ask_valkey(valkey_url)
    counted = {} if valkey_url is None else {name: getattr(valkey, name, None) for name in _COUNTED_IN_VALKEY}
    async with connected(url) as connection:
        processes = await connection.fetch(_PROCESSES, rf"^{APPLICATION} (web|worker) \d+ ")
        summary = await connection.fetchrow(_SUMMARY)
        jobs = await connection.fetch(_JOBS)
    assert summary is not None
    return Status(
        valkey=valkey,
        processes=[_process(*row) for row in processes],
        jobs=[Jobs(*row) for row in jobs],
        **{**summary, **counted},
    )


async def _ask_valkey(url: str) -> ValkeyStatus | None:
    from app.core.valkey import ERRORS  # noqa: PLC0415 - an extra

    try:
        return await read_valkey(url)
    except ERRORS:
        return None


async def read_valkey(url: str) -> ValkeyStatus:
    """Return the status of a Valkey. Raise one of `app.core.valkey.ERRORS` if it does not answer."""
    from app.core.realtime.roster import PROCESSES, life_key  # noqa: PLC0415 - an extra
    from app.core.valkey import Valkey  # noqa: PLC0415 - an extra

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


def _process(name: str, connections: int, since: datetime) -> ProcessStatus:
    _, role, pid, host = name.split(" ", 3)
    return ProcessStatus(role, int(pid), host, connections, since)
