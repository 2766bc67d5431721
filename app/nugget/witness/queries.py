"""The servers that this one is a witness of, and what it has seen of them, as everybody sees them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.errors import found
from app.core.web.shown import Hidden, Id, example
from app.nugget.heads.signing import HeadShown
from app.nugget.witness.models import WitnessedHead, WitnessedServer

_LATEST_FIRST = RankOrder(WitnessedHead.id.desc(), ties=1)
_HEAD = (
    WitnessedHead.number,
    WitnessedHead.hash,
    WitnessedHead.signed_at,
    WitnessedHead.key_id,
    WitnessedHead.signature,
)
_OF_SERVER = WitnessedHead.server_id == WitnessedServer.id


_SERVERS: Select[*tuple[Any, ...]] = select(
    WitnessedServer.id,
    WitnessedServer.url,
    WitnessedServer.added_at,
    WitnessedServer.removed_at,
    WitnessedServer.public_keys,
    WitnessedServer.asked_at,
    WitnessedServer.answered_at,
    WitnessedServer.heads,
    select(func.max(WitnessedHead.number))
    .where(_OF_SERVER, WitnessedHead.conflict.is_(None))
    .scalar_subquery(),
    WitnessedServer.conflicts,
).order_by(WitnessedServer.url)


@dataclass(frozen=True, slots=True)
class WitnessedServerShown:
    """A server that this one is a witness of: it asks for the heads of its ledger, and stores them.

    `public_keys` are those that it published when it answered first; none if it never did. `heads` counts
    the heads that were stored, of which the longest has `links` links, and `conflicts` those that contradict
    them or the keys. A server that was removed (`removed_at`) is asked no more.
    """

    id: Id
    url: Annotated[str, example("https://play.example")]
    added_at: datetime
    removed_at: datetime | None
    public_keys: Annotated[Sequence[str], example(["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])]
    asked_at: datetime | None
    answered_at: datetime | None
    heads: Annotated[int, example(12)]
    links: Annotated[int, example(340)] | None
    conflicts: Annotated[int, example(0)]


@dataclass(frozen=True, slots=True)
class WitnessedHeadShown:
    """A signed head as a server has published it, and when it was seen first.

    `conflict` is null, or `other_hash` (there was another head of as many links), `shorter` (it was the
    longest head then, though there had been a longer one), `other_key` (signed by none of the server's first
    keys) or `bad_signature`.
    """

    id: Hidden[int]
    number: int
    hash: Annotated[str, example("51ab…")]
    signed_at: Annotated[str, example("2026-11-21T12:00:00.000000Z")]
    key_id: Annotated[str, example("630dcd2966c43366")]
    signature: Annotated[str, example("mF9…")]
    seen_at: datetime
    conflict: Annotated[str, example("shorter")] | None


async def servers(session: AsyncSession) -> Sequence[WitnessedServerShown]:
    """Return all servers by their addresses."""
    return [WitnessedServerShown(*row) for row in await session.execute(_SERVERS)]


async def server(session: AsyncSession, server_id: str) -> WitnessedServerShown:
    """Return a server. Raise NotFoundError."""
    row = found(
        (await session.execute(_SERVERS.where(WitnessedServer.id == server_id))).one_or_none(),
        "witnessed server",
    )
    return WitnessedServerShown(*row)


@dataclass(frozen=True, slots=True)
class WitnessingState:
    """How asking a server goes: how often it has failed since the last answer, and why; for operators."""

    server: WitnessedServerShown
    failures: int
    problem: str | None


async def states(session: AsyncSession) -> Sequence[WitnessingState]:
    """Return how asking each server goes that has not been removed, by their addresses."""
    asked = _SERVERS.where(WitnessedServer.removed_at.is_(None))
    rows = await session.execute(asked.add_columns(WitnessedServer.failures, WitnessedServer.problem))
    return [
        WitnessingState(WitnessedServerShown(*server), failures, problem)
        for *server, failures, problem in rows
    ]


async def heads(
    session: AsyncSession, server_id: str, cursor: str, limit: int
) -> RankedPage[WitnessedHeadShown]:
    """Return a page of what was seen of a server, the latest first. Raise InvalidError `bad_cursor`."""
    seen = select(WitnessedHead.id, *_HEAD, WitnessedHead.seen_at, WitnessedHead.conflict)
    query = seen.where(WitnessedHead.server_id == server_id)
    rows = (await session.execute(_LATEST_FIRST.select_page(query, cursor, limit))).all()
    return _LATEST_FIRST.page([WitnessedHeadShown(*row) for row in rows], limit, lambda head: (head.id,))


async def count(session: AsyncSession, server: WitnessedServer) -> None:
    """Count what was seen of a server: many pages show it, and counting takes long after some years."""
    kinds = (WitnessedHead.conflict.is_(None), WitnessedHead.conflict.is_not(None))
    counted = select(*(func.count().filter(kind) for kind in kinds)).where(
        WitnessedHead.server_id == server.id
    )
    row = (await session.execute(counted)).one()
    server.heads, server.conflicts = row[0], row[1]


async def seen_before(
    session: AsyncSession, server_id: str, numbers: Collection[int]
) -> dict[int, HeadShown]:
    """Return the longest head without a conflict of a server, and those of some numbers of links."""
    sound = (WitnessedHead.server_id == server_id, WitnessedHead.conflict.is_(None))
    longest = select(func.max(WitnessedHead.number)).where(*sound).scalar_subquery()
    which = or_(WitnessedHead.number.in_(numbers), WitnessedHead.number == longest)
    rows = await session.execute(select(*_HEAD).where(*sound, which))
    return {row.number: HeadShown(*row) for row in rows}


async def conflicts(session: AsyncSession, server_id: str) -> set[tuple[HeadShown, str]]:
    """Return all heads of a server that contradict others."""
    rows = await session.execute(
        select(WitnessedHead.conflict, *_HEAD).where(
            WitnessedHead.server_id == server_id, WitnessedHead.conflict.is_not(None)
        )
    )
    return {(HeadShown(*row[1:]), row.conflict) for row in rows}
