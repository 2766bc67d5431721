"""Tournaments as they are read from the database."""

import pytest
from sqlalchemy import event

from app.compete.tournaments import queries, standings
from app.compete.tournaments.models import TournamentPairing
from app.core.database.session import Database
from tests.support.accounts import id_of
from tests.support.database import execute
from tests.support.players import Program
from tests.support.threads import run_coroutine
from tests.support.tournaments import Cup
from tests.support.waiting import wait_until


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


def test_the_pages_of_an_arena_have_all_of_its_pairings(server, clock, database_url):
    cup = Cup(server, clock, 0, "arena", minutes=20, starts_in=60)
    execute(
        database_url,
        "INSERT INTO tournament_pairings (tournament_id, round, board, first_id, outcome, is_played) "
        "SELECT $1, n, 1, id, 'first', true FROM generate_series(1, 120) n, accounts WHERE username = $2",
        *(cup.id, cup.organiser.username),
    )
    listed, before = [], None
    while before is not None or not listed:
        wanted = {} if before is None else {"before": before}
        page = cup.organiser.http.get(f"/tournaments/{cup.id}/rounds", params=wanted).json()
        listed += [each["round"] for each in page["pairings"]]
        before = page["next"]
    assert listed == list(range(120, 0, -1))


DAYS = {"kind": "correspondence", "days": 3}


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("knockout", {}),
        ("round_robin", {}),
        ("round_robin", {"groups": 2, "promoted": 1}),
        ("swiss", {"rounds": 3}),
        ("simul", {}),
    ],
)
def test_a_tournament_counts_for_players_who_may_have_a_game_to_come(
    server, clock, database_url, kind, members
):
    by_days = {} if kind == "simul" else {"time_control": DAYS}
    cup = Cup(server, clock, 3 if kind == "simul" else 4, kind, **by_days, **members)
    if kind == "simul":
        cup.programs[cup.organiser.username] = cup.organiser
    ids = {name: id_of(database_url, program) for name, program in cup.programs.items()}

    def counted():
        numbers = run_coroutine(joined_by(database_url, ids.values()))
        return {name for name, number in zip(ids, numbers, strict=True) if number}

    assert counted() == set(ids)
    cup.start()
    looks = []
    while cup.shown["status"] == "started":
        wait_until(lambda: cup.running or cup.shown["status"] != "started")
        for pairing in cup.running[:1]:
            pairings = cup.pairings
            looks.append((len(pairings), names(each for each in pairings if not each["outcome"]), counted()))
            cup.win(pairing, min(pairing["first"], pairing["second"]))
            wait_until(lambda game=pairing["game_id"]: game not in {each["game_id"] for each in cup.running})
    assert counted() == set()
    for number, undecided, players in looks:
        assert players >= undecided | names(cup.pairings[number:])
    assert len(looks[-1][2]) == 2


def names(pairings):
    return {each[seat] for each in pairings for seat in ("first", "second") if each[seat]}


async def joined_by(database_url, account_ids):
    """Return how many tournaments count for each of some accounts."""
    database = await Database.open(database_url, pool_size=1)
    async with database.reading_now() as session:
        numbers = [await session.scalar(queries.count_joined(account_id)) for account_id in account_ids]
    await database.close()
    return numbers
