"""What is told of a past day stays as it is, whenever somebody looks."""

import random
from datetime import date, timedelta

import pytest
from sqlalchemy import insert

from app.core.importing import import_all
from app.core.moments import utc_now
from app.nugget.daily.models import DayTry, NuggetDay
from app.nugget.daily.service import Daily
from app.people.identity.models import Account
from app.play.days import days as module
from tests.support.players import fresh_name
from tests.support.web_processes import web_processes

import_all("models")

FIRST = date(2026, 3, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(40)]
CHOSEN = random.Random(7)


@pytest.fixture
async def days(new_database, monkeypatch):
    """Return the days of a game, and a function that sets today."""
    async with web_processes(new_database("days"), 1) as (process,):
        yield process.parts.get(Daily).days, lambda day: monkeypatch.setattr(module, "today", lambda: day)


async def player_who_handed_in(database, handed_in):
    async with database.transaction() as session:
        account = Account(username=fresh_name(), password_hash="none")
        session.add(account)
        await session.flush()
        await session.execute(insert(NuggetDay), [{"day": day, "seed": b"1"} for day in DAYS])
        tries = [
            {"day": day, "account_id": account.id, "solution": "", "solved_in": 30, "found_at": utc_now()}
            for day in handed_in
        ]
        await session.execute(insert(DayTry), tries)
        return account.id


def in_a_row(handed_in, day):
    number = 0
    while day - timedelta(days=number) in handed_in:
        number += 1
    return number


async def test_the_streak_of_a_past_day_never_changes(days):
    game, set_today = days
    handed_in = {day for day in DAYS if CHOSEN.random() < 0.8}
    account_id = await player_who_handed_in(game.database, handed_in)
    for today in (DAYS[12], DAYS[30], DAYS[-1], DAYS[-1] + timedelta(days=90)):
        set_today(today)
        past = [day for day in DAYS if day < today]
        assert [await game.streak(account_id, day) for day in past] == [
            in_a_row(handed_in, day) for day in past
        ]
        yesterday = today - timedelta(days=1)
        row = in_a_row(handed_in, today) or in_a_row(handed_in, yesterday)
        assert await game.streak(account_id, today) == row


async def test_the_calendar_has_no_day_that_is_not_over(days):
    game, set_today = days
    await player_who_handed_in(game.database, DAYS[:1])
    set_today(DAYS[-2])
    for before in (DAYS[-2], DAYS[-1], date(2099, 1, 1)):
        month = await game.calendar(before, None)
        assert [each.day for each in month.days] == DAYS[-33:-2][::-1]


async def test_the_calendar_leads_to_all_days_and_no_further(days):
    game, set_today = days
    await player_who_handed_in(game.database, DAYS[:1])
    for today in range(1, len(DAYS)):
        set_today(DAYS[today])
        before, shown = DAYS[today], []
        while before is not None:
            month = await game.calendar(before, None)
            assert month.days
            shown += [each.day for each in month.days]
            before = month.earlier
        assert shown == DAYS[:today][::-1]
