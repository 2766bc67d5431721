"""Whether streaming replicas follow the primary, and what it keeps for them, for `gorrion doctor`."""

import asyncio
import time
from enum import StrEnum
from typing import TYPE_CHECKING

from app.core.database.replica import REPLAYED, WRITTEN
from app.core.database.session import DATABASE_ERRORS, connected
from app.core.settings import Settings
from app.server.operations.findings import CheckFinding, Level

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.Connection[asyncpg.Record]

_LOOK_EVERY = 0.1  # seconds
# Roles without rights on statistics see that there is one, but not its status.
_COUNT_RECEIVERS = "SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming' OR status IS NULL"
_SLOTS = """
SELECT array_agg(slot_name::text) FILTER (WHERE wal_status = 'lost') AS lost,
       array_agg(slot_name::text) FILTER (WHERE wal_status <> 'lost' AND NOT active) AS absent,
       count(*) AS count, current_setting('max_slot_wal_keep_size') = '-1' AS is_unlimited
FROM pg_replication_slots WHERE slot_type = 'physical'
"""


class _Following(StrEnum):
    CLOSE = "close"
    LATE = "late"
    CUT_OFF = "cut off"
    """It receives nothing from the primary."""
    PROMOTED = "promoted"
    """It is not a replica, or no longer one."""


async def _read_replica(url: str, primary: "Connection", most_behind: float) -> _Following:
    """Return how the replica at `url` follows, which is close if it is at most so many seconds behind.

    Raise one of DATABASE_ERRORS if it does not answer.
    """
    written = await primary.fetchval(WRITTEN)
    late_at = time.monotonic() + most_behind
    async with connected(url) as replica:
        while (replayed := await replica.fetchval(REPLAYED)) is not None:
            if replayed >= written:
                return _Following.CLOSE
            if time.monotonic() > late_at:
                receives = await replica.fetchval(_COUNT_RECEIVERS)
                return _Following.LATE if receives else _Following.CUT_OFF
            await asyncio.sleep(_LOOK_EVERY)
    return _Following.PROMOTED


async def check_slots(connection: "Connection") -> CheckFinding:
    """Return whether the primary keeps its log for its replicas, and no more than its disk can hold."""
    slots = await connection.fetchrow(_SLOTS)
    assert slots is not None  # it is an aggregate
    if slots["lost"]:
        detail = f"the primary has removed what these replicas lack: {', '.join(slots['lost'])}"
        advice = "Recreate each replica, or drop its slot; docs/operations.md says how."
        return CheckFinding("replication slots", Level.FAIL, detail, advice)
    if slots["count"] and slots["is_unlimited"]:
        detail = "a replica that is away fills the disk of the primary"
        advice = "Set max_slot_wal_keep_size to what may be kept for it, such as 10GB."
        return CheckFinding("replication slots", Level.WARN, detail, advice)
    if slots["absent"]:
        detail = f"these replicas are away: {', '.join(slots['absent'])}"
        advice = "Start each, or drop its slot: the primary keeps what it lacks up to max_slot_wal_keep_size."
        return CheckFinding("replication slots", Level.WARN, detail, advice)
    return CheckFinding("replication slots", Level.OK, f"{slots['count']}, none of an absent replica")


async def check_replica(connection: "Connection", settings: Settings, url: str) -> CheckFinding:
    """Return how the replica at `url` follows the primary of a connection."""
    most_behind = settings.database_replica_behind
    try:
        following = await _read_replica(url, connection, most_behind)
    except DATABASE_ERRORS as error:
        detail = f"no connection: {error or type(error).__name__}"
        advice = "Start it, and check GORRION_DATABASE_REPLICA_URL; the primary is read meanwhile."
        return CheckFinding("replica", Level.FAIL, detail, advice)
    if following is _Following.CLOSE:
        return CheckFinding("replica", Level.OK, f"at most {most_behind} s behind")
    if following is _Following.LATE:
        advice = "If it does not catch up, look at its log and its disk; pages are read from the primary."
        return CheckFinding("replica", Level.WARN, f"more than {most_behind} s behind", advice)
    detail = "it is not a replica" if following is _Following.PROMOTED else "it gets nothing from the primary"
    advice = "Look at its log. If it can no longer follow, recreate it as docs/operations.md says."
    return CheckFinding("replica", Level.FAIL, detail, advice)
