"""The proofs of open connections: those of players are looked up before the next move needs it."""

import asyncio
import contextlib
import itertools

import pytest

from app.core.database.session import Database
from app.core.errors import UnauthenticatedError
from app.core.realtime.hub import Hub
from app.live.connections import Stream
from app.live.proofs import _RENEWED_AFTER, Proofs
from app.people.identity.service import identify_token, valid_proofs
from tests.support.waiting import WITHIN


@contextlib.asynccontextmanager
async def connected(database_url, token):
    """Open the connection of a token, and what looks up its proof."""
    database = await Database.open(database_url, pool_size=2)
    try:
        connection, proofs = Stream(Hub(), await identify_token(database, token)), Proofs(database)
        yield database, connection, proofs
        await connection.release()
        while proofs._renewing or proofs._task:  # noqa: ASYNC110 - until no query is under way
            await asyncio.sleep(0.01)
    finally:
        await database.close()


async def test_the_proof_of_a_player_is_renewed_without_another_move(database_url, program):
    async with connected(database_url, program.token) as (_database, connection, proofs):
        await proofs.confirm(connection)
        confirmed_at = connection.confirmed_at
        async with asyncio.timeout(WITHIN):
            while connection.confirmed_at == confirmed_at:  # noqa: ASYNC110 - it sends no event
                await asyncio.sleep(0.05)
        await proofs.confirm(connection)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM api_tokens WHERE account_id = $1",
        "UPDATE accounts SET closed_at = now() WHERE id = $1",
    ],
    ids=["without its token", "closed"],
)
async def test_an_account_that_may_not_go_on_is_noticed_without_another_move(database_url, program, change):
    async with connected(database_url, program.token) as (database, connection, proofs):
        await proofs.confirm(connection)
        await database.pool.execute(change, connection.identity.id)
        async with asyncio.timeout(WITHIN):
            assert [line async for line in connection.lines()] == []
        with pytest.raises(UnauthenticatedError):
            await proofs.confirm(connection)


async def test_while_a_proof_is_looked_up_it_is_not_looked_up_again(database_url, program, monkeypatch):
    async with connected(database_url, program.token) as (database, connection, proofs):
        await proofs.confirm(connection)
        confirmed = []  # when it was confirmed the last time, as each query begins

        def look_up(*query):
            confirmed.append(connection.confirmed_at)
            return valid_proofs(*query)

        async def until_asked(times):
            async with asyncio.timeout(WITHIN):
                while len(confirmed) < times:  # noqa: ASYNC110 - it sends no event
                    await asyncio.sleep(0.01)

        monkeypatch.setattr("app.live.proofs.service.valid_proofs", look_up)
        async with database.pool.acquire() as other, other.transaction():
            await other.execute("LOCK TABLE api_tokens")
            await until_asked(1)
            await asyncio.sleep(0.2)  # several rounds of renewals
        await until_asked(3)
        assert all(later - earlier > _RENEWED_AFTER for earlier, later in itertools.pairwise(confirmed))
