"""Ratings in the database: live, computed again, and founded."""

import random
from itertools import combinations

import asyncpg
import pytest

from app.core.database.once import Errand, current
from app.core.database.session import Database
from app.core.jobs.worker import Job
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.people.identity.events import ACCOUNTS
from app.play.ratings import queries
from app.play.ratings.rerating import _computed, _write, found_ratings, rerate_all
from app.play.ratings.service import rate_game
from app.play.ratings.speeds import rate_due
from app.play.ratings.voiding import carry_out, plan
from app.play.ratings.work import tell_of_ratings

RATINGS = "SELECT account_id, rating, deviation, games, opponents FROM ratings ORDER BY account_id"
SPEEDS = "SELECT account_id, speed, rating, deviation, games, opponents FROM speed_ratings ORDER BY 1, 2"
CHANGES = "SELECT game_id, account_id, before, after, counted, counted_in FROM rating_changes ORDER BY 1, 2"


async def play(url, pairs, seed):
    """Rate games of pairs of accounts, with random results, as the server does."""
    chance = random.Random(seed)
    connection = await asyncpg.connect(url)
    for number, pair in enumerate(pairs):
        game_id, winner = f"{seed}-{number}", chance.choice((0, 1, None))
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO games "
                "(id, game, options, status, first_player, second_player, position, rated, winner_seat) "
                "VALUES ($1, 'jadejack', '{}', 'finished', $2, $3, '', true, $4)",
                game_id,
                *pair,
                winner,
            )
            await rate_game(connection, game_id, "jadejack", pair, winner)
    await connection.close()


@pytest.fixture
async def founded(new_database):
    """Return the address of a database in which seven people have played for three days, and the accounts."""
    url = new_database("founded")
    accounts = await rows(
        url, "INSERT INTO accounts (username) SELECT 'p' || n FROM generate_series(1, 12) n RETURNING id"
    )
    people = [account[0] for account in accounts]
    await play(url, [*combinations(people[:7], 2)], 1)
    for table, moment in (("rating_changes", "changed_at"), ("ratings", "updated_at")):
        await rows(url, f"UPDATE {table} SET {moment} = {moment} - interval '3 days'")
    await play(url, [*combinations(people[:7], 2)] * 2, 2)
    return url, people


async def rows(url, statement):
    connection = await asyncpg.connect(url)
    found = [tuple(row) for row in await connection.fetch(statement)]
    await connection.close()
    return found


async def test_a_site_is_founded_and_computing_again_changes_nothing(founded):
    url, people = founded
    assert {row[4] for row in await rows(url, RATINGS)} == {0}
    database, hub = await Database.open(url, pool_size=2), Hub()
    async with hub.subscribe(ACCOUNTS) as heard:
        await found_ratings(database, MemoryBus(hub))
        assert set((await heard.get()).accounts) == set(people[:7])  # their games are read again
    assert {row[4] for row in await rows(url, RATINGS)} == {6}
    newcomers = people[7:]
    pairs = [(newcomer, other) for other in people[:7] for newcomer in newcomers]
    await play(url, [*combinations(newcomers, 2), *pairs, *pairs, *combinations(newcomers, 2)], 3)
    await rate_due(database)
    by_speed = await rows(url, SPEEDS)
    assert by_speed
    live = [await rows(url, RATINGS), await rows(url, CHANGES)]
    assert any(row[5] for row in live[1])  # some results have waited
    assert await rerate_all(database, "jadejack") == len(live[1]) // 2
    again = [await rows(url, RATINGS), await rows(url, CHANGES)]
    await rate_due(database)
    for before, after in zip([*live, by_speed], [*again, await rows(url, SPEEDS)], strict=True):
        assert [pytest.approx(row) for row in before] == after
    await database.close()


@pytest.mark.parametrize("write", ["a game", "a voided game", "all again"])
async def test_ratings_by_speed_follow_whatever_changes_ratings(founded, write):
    url, people = founded
    database = await Database.open(url, pool_size=2)
    await found_ratings(database, MemoryBus(Hub()))
    await rate_due(database)
    before = await rows(url, SPEEDS)
    if write == "a game":
        await play(url, [(people[0], people[1])], 4)
    elif write == "a voided game":
        planned = await plan(database, "1-3")
        async with database.transaction() as session:
            assert await carry_out(session, planned)
    else:
        assert await rerate_all(database, "jadejack")
    await rate_due(database)
    after = await rows(url, SPEEDS)
    assert (after != before) or write == "all again"
    await rows(url, "UPDATE ratings SET games = games")
    await rate_due(database)
    assert await rows(url, SPEEDS) == after
    assert await rows(url, "SELECT id FROM speeds_due") == []
    await database.close()


async def test_a_job_lets_all_processes_read_the_games_of_the_players_again(founded):
    url, people = founded
    database, hub = await Database.open(url, pool_size=2), Hub()
    async with hub.subscribe(ACCOUNTS) as heard:
        await tell_of_ratings(Job({"game": "jadejack"}, attempts=1), database, MemoryBus(hub))
        assert set((await heard.get()).accounts) >= set(people[:7])
    await database.close()


async def test_ratings_computed_before_a_game_was_voided_are_not_written(founded):
    url, _people = founded
    database = await Database.open(url, pool_size=2)
    first, second = await plan(database, "1-3"), await plan(database, "1-8")
    rerated, seen = await _computed(database, "jadejack")
    async with database.transaction() as session:
        assert await carry_out(session, first)
    async with database.transaction() as session:
        assert not await carry_out(session, second)
    assert not await _write(database, "jadejack", rerated, seen)
    await database.close()


async def test_planning_to_void_a_game_in_a_request_with_a_key_reads_one_moment_and_claims_nothing(founded):
    url, _people = founded
    database, errand = await Database.open(url, pool_size=2), Errand(b"key", b"request")
    token = current.set(errand)
    try:
        assert await plan(database, "1-3") is not None
    finally:
        current.reset(token)
        await database.close()
    assert not errand.is_claimed
    assert await rows(url, "SELECT digest FROM idempotency_keys") == []


async def test_ratings_of_newcomers_are_not_overwritten(founded, monkeypatch):
    url, people = founded
    database = await Database.open(url, pool_size=2)
    marks = queries.marks

    async def then_newcomers_play(*args):
        seen = await marks(*args)
        await play(url, [people[8:10]], 5)
        return seen

    monkeypatch.setattr(queries, "marks", then_newcomers_play)
    rerated, seen = await _computed(database, "jadejack")
    await play(url, [people[8:10]], 6)
    assert not await _write(database, "jadejack", rerated, seen)
    await database.close()
