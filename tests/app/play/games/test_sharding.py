"""Which rows a move touches: those of its game only, so that games can be distributed over machines."""

import uuid

import pytest

from app.core.moments import now
from app.play.games.decisions import Command
from tests.support.database import connected
from tests.support.web_processes import web_processes

# A statement-level trigger of each table notes the games to which the rows of one statement belong.
_NOTE = """
CREATE TABLE touched (in_table text, games text[]);
CREATE FUNCTION note_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'INSERT INTO touched SELECT %L, array_agg(DISTINCT %s::text) FROM rows HAVING count(*) > 0',
        TG_TABLE_NAME, TG_ARGV[0]
    );
    RETURN NULL;
END $$;
"""
_TRIGGER = """
CREATE TRIGGER note_{event} AFTER {event} ON {table} REFERENCING {version} TABLE AS rows
FOR EACH STATEMENT EXECUTE FUNCTION note_touched('{game}')
"""
_TABLES = """
SELECT table_name, coalesce(max(column_name) FILTER (WHERE column_name = 'game_id'), 'NULL') AS game
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'touched' GROUP BY table_name
"""
_VERSIONS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


@pytest.fixture
async def process(new_database, request):
    """Return the games of a process on a database that notes which rows are written."""
    url = new_database(request.function.__name__[:20])
    async with connected(url) as connection:
        await connection.execute(_NOTE)
        for table, game in await connection.fetch(_TABLES):
            column = "id" if table == "games" else game
            for event, version in _VERSIONS.items():
                await connection.execute(
                    _TRIGGER.format(event=event, table=table, version=version, game=column)
                )
    async with web_processes(url, 1) as [process]:
        yield process


async def touched_by(process, command):
    """Return the tables that a command writes, each with the games of its rows."""
    await process.database.pool.execute("TRUNCATE touched")
    await command
    rows = await process.database.pool.fetch("SELECT * FROM touched")
    return {(row["in_table"], *filter(None, row["games"])) for row in rows}


async def test_a_move_touches_rows_of_its_game_only(process):
    state, other = await process.new_game(), await process.new_game()
    for move in ("c4", "f6", "pass"):
        player = state.player_to_move.id
        play = process.games.play_move(state.id, player, move, state.ply, uuid.uuid4(), at=now())
        assert await touched_by(process, play) == {("games", state.id), ("moves", state.id)}
        state = await process.games.get(state.id)
    assert (await process.games.get(other.id)).ply == 0


async def test_the_end_of_a_rated_game_touches_its_players_ratings_too(process):
    state = await process.new_game(rated=True)
    while state.is_too_short_to_rate:
        move, player = state.legal_moves[0], state.player_to_move.id
        state = await process.games.play_move(state.id, player, move, state.ply, uuid.uuid4(), at=now())
    end = process.games.command(Command.RESIGN, state.id, state.players[0].id, at=now())
    assert await touched_by(process, end) == {
        ("games", state.id),
        ("rating_changes", state.id),
        ("ratings",),
        ("speeds_due",),
    }
