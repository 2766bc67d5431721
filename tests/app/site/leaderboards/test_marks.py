"""Marks of the rankings that grow, from which their ranks are counted."""

import pytest
from sqlalchemy import select

from app.core.database import marks
from app.core.database.marks import RankingMark
from app.nugget.daily.models import DayTry
from app.nugget.daily.service import Daily
from app.play.days.days import today
from app.site.leaderboards.service import mark_rankings
from tests.support.database import execute

_TRIES = """
WITH players AS (
    INSERT INTO accounts (username, password_hash) SELECT 'p' || n, '!' FROM generate_series(1, 9) n
    RETURNING id
)
INSERT INTO nugget_day_tries (day, account_id, solution, solved_in, found_at)
SELECT $1, id, '', 20 + id % 3, now() - interval '1 s' * id FROM players
"""


@pytest.fixture
def database_url(new_database):
    return new_database("marks")


async def test_ranks_of_today_are_counted_from_marks_and_those_of_other_rankings_deleted(
    database_url, database, monkeypatch
):
    monkeypatch.setattr(marks, "EVERY", 2)
    days = Daily(database).days
    await days.make()
    execute(database_url, _TRIES, today())
    before = await _ranks(database, days)
    assert sorted(before.values()) == list(range(1, 10))
    execute(database_url, "INSERT INTO ranking_marks VALUES ('a year ago', 1, 1)")

    await mark_rankings(database)
    assert await _ranks(database, days) == before
    async with database.reading() as session:
        marked = set(await session.scalars(select(RankingMark.ranking)))
    assert marked == {days.ranking_of(today()).name}


async def _ranks(database, days):
    """Return the ranks of all tries, by their accounts."""
    async with database.reading() as session:
        tries = await session.scalars(select(DayTry))
        return {tried.account_id: await days.rank_of(session, tried) for tried in tries.all()}
