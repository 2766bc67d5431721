"""Deadlines of players after a time in which nobody could reach the server."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import DateTime

from app.compete.tournaments.recurring import make_recurring_arenas
from app.core.database.base import Base
from app.core.database.session import Database
from app.core.ids import new_id
from app.core.importing import import_all
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.downtimes import declared
from app.core.realtime.hub import Hub
from app.core.realtime.server_time import ServerTime
from app.core.recurring_arenas import RecurringArena
from app.play.games.events import EndedGames
from engine.clock import REALTIME_KINDS
from tests.support.players import fresh_name
from tests.support.waiting import WITHIN

import_all("models")

_TOURNAMENT = """
INSERT INTO tournaments
(id, kind, status, name, game, options, time_control, rated, plan, max_players, series, reminded_at, {column})
VALUES ($1, 'arena', '{status}', 'Cup', 'jadejack', '{{}}', '{{"kind": "{control}"}}', false, '{{}}', 9,
    {series}, now(), $2)
RETURNING {column}
"""
_ACCOUNT = "WITH account AS (INSERT INTO accounts (username) VALUES ($1) RETURNING id)"
_MADE = {
    "ladder_challenges.due_at": f"""
        {_ACCOUNT} INSERT INTO ladder_challenges (id, game, challenger_id, defender_id, due_at)
        SELECT $1, $1, id, id, $2 FROM account
    """,
    "ladder_players.inactive_at": f"""
        {_ACCOUNT} INSERT INTO ladder_players (game, account_id, place, inactive_at)
        SELECT $1, id, 1, $2 FROM account
    """,
    "erasures.due_at": f"{_ACCOUNT} INSERT INTO erasures (account_id, due_at) SELECT id, $2 FROM account",
    **{
        f"tournaments.{column}": _TOURNAMENT.format(
            column=column, status="started", control="realtime", series="NULL"
        )
        for column in ("ends_at", "pause_until")
    },
}
"""How something with a deadline is made that somebody can still keep."""

_ENDED = {
    "ladder_challenges.due_at": "UPDATE ladder_challenges SET outcome = 'withdrawn'",
    "erasures.due_at": "UPDATE erasures SET done_at = now()",
    "tournaments.ends_at": "UPDATE tournaments SET status = 'finished'",
    "tournaments.pause_until": "UPDATE tournaments SET status = 'cancelled'",
}
"""How it ends."""

_OTHERS = {
    "games.deadline": "clocks have credits of their own",
    "games.watch_at": "clocks have credits of their own",
    "games.stop_from": "a pause or a vacation, which clocks count",
    "games.stop_until": "a pause or a vacation, which clocks count",
    "tournaments.due_at": "when the server looks at it next",
    "deliveries.due_at": "when it is sent",
    "award_marks.judged_until": "past",
    "throttle_counts.ends_at": "a limit",
    "sanctions.until": "a restriction, which does not last longer",
    "vacations.until": "takes no part in what somebody has to do",
    "announcements.ends_at": "of an operator, who may change it",
    "invitations.ends_at": "of an operator, who may change it",
    "nugget_competitions.ends_at": "announced to the world, and the same for all copies",
    "races.ends_at": "all races that were under way were stopped alike",
    "searches.until": "some minutes, after which one searches again",
    "address_undos.expires_at": "security",
    "api_tokens.expires_at": "security",
    "mail_links.expires_at": "security",
    "passkey_challenges.expires_at": "security",
    "pending_log_ins.expires_at": "security",
    "sessions.expires_at": "security",
}
"""The ends that stay as they are, and why."""


class Site:
    """A database that one process keeps the time of."""

    def __init__(self, database, clock):
        self.database, self.clock = database, clock
        self.pool, self.time = database.pool, ServerTime(database.pool)

    async def make(self, deadline, at):
        await self.pool.execute(_MADE[deadline], fresh_name(), at)

    async def end(self, deadline):
        await self.pool.execute(_ENDED[deadline])

    async def deadlines(self, deadline):
        table, column = deadline.split(".")
        return [row[0] for row in await self.pool.fetch(f"SELECT {column} FROM {table} ORDER BY 1")]

    async def beat(self):
        async def nothing(_connection, _downtime):
            pass

        await self.time.beat(nothing)

    async def go_down(self, **duration):
        await self.beat()
        self.clock.advance_during_downtime(**duration)
        await self.beat()


@pytest.fixture
async def site(new_database, clock):
    database = await Database.open(new_database("downtimes"), pool_size=2)
    site = Site(database, clock)
    await site.beat()
    yield site
    await database.close()


@pytest.mark.parametrize("deadline", _MADE)
async def test_a_deadline_does_not_come_nearer_while_the_server_is_down(site, deadline):
    past, soon = utc_now() - timedelta(minutes=1), utc_now() + timedelta(hours=1)
    await site.make(deadline, past)
    await site.make(deadline, soon)
    await site.go_down(hours=3)
    unchanged, put_off = await site.deadlines(deadline)
    assert unchanged == past
    assert abs(put_off - soon - timedelta(hours=3)) < timedelta(seconds=30)


@pytest.mark.parametrize("deadline", _ENDED)
async def test_what_has_ended_has_no_deadline_any_more(site, deadline):
    soon = utc_now() + timedelta(hours=1)
    await site.make(deadline, soon)
    await site.end(deadline)
    await site.go_down(hours=3)
    assert await site.deadlines(deadline) == [soon]


async def test_a_restart_puts_nothing_off(site):
    soon = utc_now() + timedelta(hours=1)
    await site.make("erasures.due_at", soon)
    await site.go_down(seconds=40)
    assert await site.deadlines("erasures.due_at") == [soon]


def test_every_end_is_put_off_or_has_a_reason_to_stay():
    words = ("due", "until", "ends", "expires", "inactive", "deadline", "watch", "stop")
    ends = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.c
        if isinstance(column.type, DateTime) and any(word in column.name for word in words)
    }
    deadlines = {name for name in declared() if "." in name}
    assert deadlines == set(_MADE)
    assert ends == deadlines | set(_OTHERS)


async def starting(site, at, *, control="realtime", series="NULL"):
    made = _TOURNAMENT.format(column="starts_at", status="created", control=control, series=series)
    tournament_id = new_id()
    await site.pool.execute(made, tournament_id, at)
    return tournament_id


async def start_of(site, tournament_id):
    return await site.pool.fetchrow(
        "SELECT starts_at, reminded_at FROM tournaments WHERE id = $1", tournament_id
    )


@pytest.mark.parametrize("control", REALTIME_KINDS)
@pytest.mark.parametrize("minutes", [20, 42])
async def test_a_start_that_nobody_could_see_gives_notice_again(site, minutes, control):
    tournament_id = await starting(site, utc_now() + timedelta(minutes=minutes), control=control)
    await site.go_down(minutes=40)
    start, reminded_at = await start_of(site, tournament_id)
    assert timedelta(minutes=5) <= start - utc_now() + timedelta(seconds=30) <= timedelta(minutes=7)
    assert (start.second, reminded_at) == (0, None)


@pytest.mark.parametrize(("minutes", "control"), [(90, "realtime"), (20, "correspondence")])
async def test_other_starts_stay(site, minutes, control):
    at = utc_now() + timedelta(minutes=minutes)
    tournament_id = await starting(site, at, control=control)
    await site.go_down(minutes=40)
    start, reminded_at = await start_of(site, tournament_id)
    assert start == at
    assert reminded_at is not None


async def test_no_two_of_a_series_begin_at_the_same_time(site):
    soon = [utc_now() + timedelta(minutes=minutes) for minutes in (10, 70)]
    first, second = [await starting(site, at, series="'hourly'") for at in soon]
    await site.go_down(hours=2)
    starts = [(await start_of(site, each))["starts_at"] for each in (first, second)]
    assert starts[1] - starts[0] == timedelta(minutes=1)
    assert starts[0] > utc_now() + timedelta(minutes=4)


async def test_an_arena_that_was_put_off_is_not_made_again(site):
    soon = (utc_now() + timedelta(minutes=42)).replace(second=0, microsecond=0)
    cron = f"{soon.minute} {soon.hour} * * *"
    daily = RecurringArena(series="daily", name="Daily", cron=cron, minutes=27, game="jadejack", limit=120)
    await starting(site, soon, series="'daily'")
    await site.go_down(minutes=40)
    await make_recurring_arenas(site.database, MemoryBus(Hub()), [daily])
    query = "SELECT count(*) FROM tournaments WHERE series = 'daily' AND starts_at < $1"
    assert await site.pool.fetchval(query, utc_now() + timedelta(hours=1)) == 1


async def test_no_tournament_is_looked_at_before_a_downtime_is_known(site):
    looked, ended = asyncio.Event(), EndedGames(Hub(), site.time)

    async def look():
        looked.set()

    site.clock.advance_during_downtime(minutes=40)
    task = asyncio.create_task(ended.each_time(look))
    await asyncio.sleep(1)
    assert not looked.is_set()
    await site.beat()
    async with asyncio.timeout(WITHIN):
        await looked.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
