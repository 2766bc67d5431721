"""Tournaments as they are read from the database."""

import pytest
from sqlalchemy import event

from app.compete.tournaments import standings
from app.compete.tournaments.models import TournamentPairing
from app.core.database.session import Database
from tests.support.database import execute
from tests.support.players import Program
from tests.support.tournaments import Cup


@pytest.fixture
def loaded():
    """Return a list that gets every pairing that is loaded as an object of the session."""
    rows = []

    def add(row, _context):
        rows.append(row)

    event.listen(TournamentPairing, "load", add)
    yield rows
    event.remove(TournamentPairing, "load", add)


async def test_pairings_are_read_as_plain_rows(server, clock, database_url, loaded):
    players = Program(server), Program(server)
    cup = Cup(server, clock, 0, "swiss", rounds=5, starts_in=60)
    execute(
        database_url,
        "INSERT INTO tournament_pairings "
        "(tournament_id, round, board, first_id, second_id, outcome, is_played) "
        "SELECT $1, n, 1, first.id, CASE WHEN n < 3 THEN second.id END, 'first', n = 1 "
        "FROM generate_series(1, 3) n, accounts first, accounts second "
        "WHERE first.username = $2 AND second.username = $3",
        *(cup.id, *(player.username for player in players)),
    )
    database = await Database.open(database_url, pool_size=1)
    async with database.reading_now() as session:
        rows = await standings.pairings(session, cup.id)
    await database.close()
    first, second = (player.username for player in players)
    shown = [
        (row.round, row.first.username, row.second and row.second.username, row.is_played) for row in rows
    ]
    assert shown == [(1, first, second, True), (2, first, second, False), (3, first, None, False)]
    assert {(row.board, row.leg, row.group, row.game_id, row.outcome) for row in rows} == {
        (1, 1, 0, None, "first")
    }
    assert loaded == []
