"""Tournaments on two servers of which one is killed: every pairing once, and the right standings."""

from tests.faults.scale import TIMES
from tests.faults.tournaments import Tournament, play_under_faults


def test_tournaments_survive_the_death_of_a_server(postgres, servers):
    def kill():
        servers[0].kill()
        servers[0].start()

    arena = Tournament(postgres.url, servers, "arena", 8, minutes=20)
    swiss = Tournament(postgres.url, servers, "swiss", 7, rounds=3)
    play_under_faults([arena, swiss], 12 * TIMES, kill, kill_every=4)
    assert arena.check() > 0
    assert swiss.check() == 9
