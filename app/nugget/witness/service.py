"""Asking other servers for the heads of their ledgers, and storing what they say."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.core.database.rank_order import RankedPage
from app.core.database.session import Database, reads_now
from app.core.errors import OperatorError
from app.core.ids import new_id
from app.nugget.heads.fetching import SiteError, address_of, open_site
from app.nugget.heads.signing import HeadShown, decoded, encoded, key_id_of, read_heads, read_keys
from app.nugget.witness import queries
from app.nugget.witness.decisions import PROOFS, judge
from app.nugget.witness.models import WitnessedHead, WitnessedServer
from app.nugget.witness.queries import WitnessedHeadShown, WitnessedServerShown
from app.people.identity import audit
from app.people.identity.audit import SiteAction

log = structlog.get_logger()

_WITHIN = 30  # seconds, in which a server has to answer everything
_MOST_SERVERS = 50  # that are asked at a time
_MOST_HEADS = 200  # of one answer
_MOST_CONFLICTS = 1_000  # of one server that prove something, and as many others, that are stored


class Witness:
    """What this server has seen of others."""

    def __init__(self, database: Database) -> None:
        self._database = database

    servers = reads_now(queries.servers)

    async def heads(
        self, server_id: str, cursor: str, limit: int
    ) -> tuple[WitnessedServerShown, RankedPage[WitnessedHeadShown]]:
        """Return a server, and a page of what was seen of it, the latest first.

        Raise NotFoundError, InvalidError `bad_cursor`.
        """
        async with self._database.reading_now() as session:
            server = await queries.server(session, server_id)
            return server, await queries.heads(session, server_id, cursor, limit)


async def add(database: Database, url: str) -> str | None:
    """Become a witness of a server, and ask it. Return what is wrong with its answer, if anything.

    One that was removed is asked again, and has to have the same key. Raise OperatorError.
    """
    address = _address(url)
    async with database.transaction() as session:
        added = insert(WitnessedServer).values(id=new_id(), url=address)
        await session.execute(added.on_conflict_do_update(index_elements=["url"], set_={"removed_at": None}))
        asked = select(func.count()).where(WitnessedServer.removed_at.is_(None))
        if (await session.execute(asked)).scalar_one() > _MOST_SERVERS:
            raise OperatorError(f"A server is a witness of at most {_MOST_SERVERS} others. Remove one first.")
        known = select(WitnessedServer.id).where(WitnessedServer.url == address)
        server_id = (await session.execute(known)).scalar_one()
        audit.record_of_site(session, SiteAction.WITNESS_ADDED, audit.OPERATOR, address)
    return await _ask(database, server_id, address)


async def remove(database: Database, url: str) -> None:
    """Ask a server no more. What was seen of it stays. Raise OperatorError."""
    address = _address(url)
    async with database.transaction() as session:
        removed = (
            update(WitnessedServer)
            .where(WitnessedServer.url == address, WitnessedServer.removed_at.is_(None))
            .values(removed_at=func.now())
            .returning(WitnessedServer.id)
        )
        if await session.scalar(removed) is None:
            raise OperatorError(f"This server is not a witness of {address}.")
        audit.record_of_site(session, SiteAction.WITNESS_REMOVED, audit.OPERATOR, address)


async def ask_all(database: Database) -> None:
    """Ask all servers at a time, so that none that is slow or away holds up the others."""
    async with database.reading_now() as session:
        asked = select(WitnessedServer.id, WitnessedServer.url).where(WitnessedServer.removed_at.is_(None))
        servers = (await session.execute(asked)).all()
    await asyncio.gather(*(_ask_or_log(database, *server) for server in servers))


def _address(url: str) -> str:
    """Return the address of a site. Raise OperatorError."""
    try:
        return address_of(url)
    except ValueError as error:
        raise OperatorError(str(error)) from None


async def _ask_or_log(database: Database, server_id: str, url: str) -> None:
    """Ask a server; a bug that concerns only this one must not hold up the others."""
    try:
        await _ask(database, server_id, url)
    except Exception:
        log.exception("witness_failed", server=url)


async def _ask(database: Database, server_id: str, url: str) -> str | None:
    """Ask a server and store what it says. Return what is wrong with its answer, if anything."""
    try:
        async with asyncio.timeout(_WITHIN):
            keys, heads = await _fetch(url)
    except (SiteError, ValueError, TimeoutError) as error:
        problem = str(error) or f"It does not answer within {_WITHIN} seconds."
        log.warning("witness_unanswered", server=url, problem=problem)
        async with database.transaction() as session:
            await session.execute(
                update(WitnessedServer)
                .where(WitnessedServer.id == server_id)
                .values(asked_at=func.now(), failures=WitnessedServer.failures + 1, problem=problem)
            )
        return problem
    return await _store(database, server_id, keys, heads)


async def _fetch(url: str) -> tuple[Mapping[str, bytes], Sequence[HeadShown]]:
    """Return the keys of a server by their names, and its last heads. Raise SiteError, ValueError."""
    async with open_site(url) as site:
        keys = read_keys(await site.document("/.well-known/gorrion-keys.json"))
        heads = read_heads(await site.document("/api/v1/nugget/ledger/heads"))
    if not keys or not 0 < len(heads) <= _MOST_HEADS:
        raise SiteError("It publishes no key, no head, or too many.")
    return keys, heads


async def _store(
    database: Database, server_id: str, published: Mapping[str, bytes], heads: Sequence[HeadShown]
) -> str | None:
    """Store what a server says, and return a sentence about conflicts, if there are new ones."""
    async with database.transaction() as session:
        server = await session.get_one(WitnessedServer, server_id, with_for_update=True)
        url = server.url
        server.asked_at = server.answered_at = await session.scalar(select(func.now()))
        server.failures, server.problem = 0, None
        server.public_keys = server.public_keys or [*map(encoded, published.values())]
        keys = {key_id_of(key): key for key in map(decoded, server.public_keys)}
        seen = await queries.seen_before(session, server_id, {head.number for head in heads})
        known = await queries.conflicts(session, server_id)
        judged = [each for each in dict.fromkeys(judge(heads, keys, seen)) if each not in known]
        conflicts = []
        for is_proof in (True, False):
            room = _MOST_CONFLICTS - sum((conflict in PROOFS) is is_proof for _head, conflict in known)
            new = [(head, said) for head, said in judged if said and (said in PROOFS) is is_proof]
            conflicts += new[: max(0, room)]
        sound = [(head, conflict) for head, conflict in judged if not conflict]
        session.add_all(
            WitnessedHead(server_id=server_id, conflict=conflict, **asdict(head))
            for head, conflict in (*sound, *conflicts)
        )
        await session.flush()
        await queries.count(session, server)
    for head, conflict in conflicts:
        log.error("ledger_conflict", server=url, conflict=conflict, number=head.number, hash=head.hash)
    if conflicts:
        return f"It contradicts what was seen of it: {', '.join(sorted({each for _, each in conflicts}))}."
    return None
