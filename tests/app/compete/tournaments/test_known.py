"""Which tournaments give points of a season: those in which enough players are known."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app.compete.tournaments.models import SeasonAward, Tournament, TournamentPlayer
from app.compete.tournaments.seasons import FEWEST, award_tournament
from app.core.ids import new_id
from app.core.moments import utc_now
from app.people.identity.models import Account, Sanction
from app.play.ratings.counting import OPPONENTS_TO_SETTLE
from app.play.ratings.models import PlayerRating
from app.play.ratings.rerating import PROVEN_AT_LEAST
from tests.support.players import fresh_name

MANY_GAMES = 500
LONG_AGO = timedelta(days=400)


async def players(session, count, *, opponents, age=LONG_AGO):
    """Return the ids of accounts with many rated games, which have met so many proven opponents."""
    accounts = [Account(username=fresh_name(), created_at=utc_now() - age) for _ in range(count)]
    session.add_all(accounts)
    await session.flush()
    rating = {"rating": 1900, "deviation": 60, "volatility": 0.06, "games": MANY_GAMES}
    session.add_all(
        PlayerRating(account_id=each.id, game="jadejack", opponents=opponents, **rating) for each in accounts
    )
    return [each.id for each in accounts]


async def points(session, account_ids):
    """Return the points that accounts, in the order of their places, get for a tournament of a series."""
    tournament = Tournament(
        id=new_id(),
        kind="arena",
        name="Hourly",
        series="hourly",
        game="jadejack",
        options={},
        rated=True,
        plan={},
        max_players=300,
        ended_at=utc_now(),
    )
    session.add(tournament)
    await session.flush()
    session.add_all(
        TournamentPlayer(tournament_id=tournament.id, account_id=each, rating=1500, games=1, rank=rank)
        for rank, each in enumerate(account_ids, 1)
    )
    await session.flush()
    await award_tournament(session, tournament)
    is_own = SeasonAward.source == f"tournament:{tournament.id}", SeasonAward.account_id.in_(account_ids)
    return await session.scalar(select(func.coalesce(func.sum(SeasonAward.points), 0)).where(*is_own))


def known(session, count=PROVEN_AT_LEAST):
    return players(session, count, opponents=OPPONENTS_TO_SETTLE)


@pytest.mark.parametrize("size", [FEWEST, 3 * FEWEST])
async def test_a_ring_whose_accounts_meet_only_each_other_gets_no_points(session, size):
    others = await known(session)
    ring = await players(session, size, opponents=0)
    assert await points(session, ring) == 0
    assert await points(session, ring + others[: FEWEST - 1]) == 0


async def test_whoever_beats_known_players_gets_points(session):
    others = await known(session)
    newcomer = await players(session, 1, opponents=0, age=timedelta())
    assert await points(session, newcomer + others[:FEWEST]) > await points(session, others[:FEWEST]) > 0


@pytest.mark.parametrize(("age", "gets"), [(timedelta(days=2), True), (timedelta(hours=2), False)])
async def test_on_a_young_site_accounts_count_that_are_not_new(session, age, gets):
    await known(session, PROVEN_AT_LEAST - 1)
    regulars = await players(session, FEWEST, opponents=0, age=age)
    assert (await points(session, regulars) > 0) is gets


async def test_who_is_excluded_from_rated_games_gets_no_points(session):
    cheat, *others = await known(session)
    session.add(Sanction(account_id=cheat, kind="no_rated", until=utc_now() + timedelta(days=9)))
    await points(session, [cheat, *others])
    got = set(await session.scalars(select(SeasonAward.account_id)))
    assert got == set(others)
