"""Series that the server makes by itself: one that fails holds up no other."""

from dataclasses import replace

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from app.compete.tournaments.recurring import make_recurring_arenas
from app.core import keep_going
from app.core.database.session import Database
from app.core.ids import new_id
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.core.recurring_arenas import RecurringArena
from app.nugget import recurring
from tests.support.database import execute, fetch, run_coroutine

GOOD = RecurringArena(series="good", name="Good", cron="0 * * * *", minutes=27, game="jadejack", limit=120)


@given(st.lists(st.sampled_from([None, ValueError("bad"), KeyError("x"), asyncpg.DataError("y")])))
def test_each_series_is_made_whatever_the_others_raise(outcomes):
    keep_going._failing.clear()
    made = []

    def maker(number, outcome):
        async def make():
            made.append(number)
            if outcome:
                raise outcome

        return make

    makers = {str(number): maker(number, outcome) for number, outcome in enumerate(outcomes)}
    with capture_logs() as logs:
        for _ in range(3):
            run_coroutine(keep_going.make_each(makers))
    assert made == 3 * list(range(len(outcomes)))
    assert [line["series"] for line in logs] == [str(number) for number, each in enumerate(outcomes) if each]


def test_an_outage_is_no_fault_of_a_series():
    async def make():
        raise ConnectionRefusedError

    with pytest.raises(ConnectionRefusedError):
        run_coroutine(keep_going.make_each({"any": make}))


@pytest.mark.parametrize(
    "change",
    [
        {"cron": "0 0 30 2 *"},
        {"cron": "0 0 1 1 * 0 2020"},
        {"cron": "61 * * * *"},
        {"game": "a game that was removed"},
        {"options": {"size": 99}},
        {"name": "\0"},
        {"limit": 10**30},
    ],
)
def test_an_arena_that_cannot_be_made_stops_no_other(change, new_database):
    url = new_database("series")
    bad = GOOD.model_copy(update={"series": "bad", **change})

    async def make():
        database = await Database.open(url, pool_size=2)
        try:
            await make_recurring_arenas(database, MemoryBus(Hub()), [bad, GOOD])
        finally:
            await database.close()

    run_coroutine(make())
    assert fetch(url, "SELECT count(*) FROM tournaments WHERE series = 'good'")[0] == 2


def test_a_competition_that_cannot_be_made_stops_no_other(new_database, monkeypatch):
    url = new_database("competitions_of_months")

    def fail(_starts_at):
        raise OverflowError

    monkeypatch.setattr(recurring, "_MONTHLY", replace(recurring._MONTHLY, id_of=fail))

    async def make():
        database = await Database.open(url, pool_size=2)
        try:
            await recurring.make_recurring(database)
        finally:
            await database.close()

    run_coroutine(make())
    assert fetch(url, "SELECT count(*) FROM nugget_competitions WHERE id LIKE 'quarter-%'")[0] == 2


def test_an_arena_that_is_deleted_is_announced(new_database):
    url, arena, told = new_database("unplayed"), new_id(), []
    execute(
        url,
        "INSERT INTO tournaments (id, kind, status, name, series, game, options, rated, plan, max_players)"
        " VALUES ($1, 'arena', 'finished', 'Cup', 'old', 'jadejack', '{}', false, '{}', 9)",
        arena,
    )
    bus = MemoryBus(Hub())
    bus.publish = lambda *events: told.extend(event.tournament_id for event in events)

    async def make():
        database = await Database.open(url, pool_size=2)
        try:
            await make_recurring_arenas(database, bus, [])
        finally:
            await database.close()

    run_coroutine(make())
    assert told == [arena]
