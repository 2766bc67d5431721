"""Tournaments and a ladder on two servers of which one is killed: everything once, and the right order."""

from tests.faults.scale import TIMES
from tests.faults.tournaments import Tournament, play_under_faults
from tests.support.database import execute
from tests.support.ladders import Climbers
from tests.support.waiting import wait_until


def test_tournaments_survive_the_death_of_a_server(postgres, servers):
    def kill():
        servers[0].kill()
        servers[0].start()

    arena = Tournament(postgres.url, servers, "arena", 8, minutes=20)
    swiss = Tournament(postgres.url, servers, "swiss", 7, rounds=3)
    play_under_faults([arena, swiss], 12 * TIMES, kill, kill_every=4)
    assert arena.check() > 0
    assert swiss.check() == 9


def test_what_is_due_on_a_ladder_survives_the_death_of_a_server(postgres, servers):
    climbers = Climbers(servers[1], 8)
    for challenger, defender in ((1, 0), (3, 2)):
        assert climbers.challenge(challenger, defender).status_code == 201
    for challenger, defender in ((5, 4), (7, 6)):
        climbers.resign(defender, climbers.begin(challenger, defender))
    # Other tests step the clock of PostgreSQL: schedules run by it, and the servers do not follow it then.
    past = "now() - interval '100 days'"
    execute(postgres.url, f"UPDATE ladder_challenges SET due_at = {past} WHERE outcome IS NULL")
    execute(postgres.url, f"UPDATE pgqueuer_schedules SET next_run = {past}")
    servers[0].kill()
    servers[0].start()
    # What a killed server has begun is done by the other one after a while.
    wait_until(lambda: climbers.order == [1, 0, 3, 2, 5, 4, 7, 6], within=180)
    decided = [each["kind"] for each in climbers.changes if each["opponent"]]
    assert sorted(decided) == ["forfeited"] * 2 + ["won"] * 2
    assert [row["place"] for row in climbers.rows] == list(range(1, len(climbers.rows) + 1))
