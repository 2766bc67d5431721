"""In real time no tournament gives a person a game during one of another, and no arena during any game."""

import pytest

from tests.support.database import execute
from tests.support.games import post
from tests.support.players import Program, Visitor
from tests.support.tournaments import BULLET, Cup
from tests.support.waiting import WITHIN, wait_until

LONG = {**BULLET, "limit": 1800}
ROUNDS = [("swiss", {"rounds": 3}), ("round_robin", {}), ("knockout", {})]


def of_players(pairings, players):
    """Return the pairings of any of some players."""
    names = {player.username for player in players}
    return [each for each in pairings if names & {each["first"], each["second"]}]


@pytest.fixture
def pair(server, clock):
    """Return two players, and the arena in which they have a game that lasts."""
    cup = Cup(server, clock, 2, "arena", minutes=60, time_control=LONG).start()
    wait_until(lambda: cup.running)
    cup.make_first_moves()
    return tuple(cup.programs.values()), cup


def test_an_arena_leaves_out_who_plays_in_another_one(server, clock, pair):
    both, first = pair
    second = Cup(server, clock, 2, "arena", minutes=60)
    for player in both:
        second.join(player)
    second.start()
    wait_until(lambda: second.running)
    assert not of_players(second.running, both)
    for player in both:
        assert post(player, f"/tournaments/{first.id}/withdraw").status_code == 200
    first.win(first.running[0], both[0].username)
    wait_until(lambda: of_players(second.running, both))


@pytest.mark.parametrize(("kind", "members"), ROUNDS)
def test_a_round_waits_for_games_of_other_tournaments(server, clock, pair, kind, members):
    both, first = pair
    second = Cup(server, clock, 2, kind, **members)
    for player in both:
        second.join(player)
    second.start()
    wait_until(lambda: second.pairings)
    assert not of_players(second.running, both)
    waiting = {each["board"] for each in of_players(second.pairings, both) if each["second"]}
    assert waiting
    with Visitor(server).live(f"/tournaments/{second.id}/live") as page:
        page.recv(WITHIN)
        first.win(first.running[0], both[0].username)
        wait_until(lambda: {each["board"] for each in of_players(second.running, both)} == waiting)
        game_id = of_players(second.running, both)[0]["game_id"]
        wait_until(lambda: f"/games/{game_id}" in page.recv(WITHIN))
    assert not first.running, "an arena pairs nobody who is in a tournament with rounds"


def test_the_host_of_a_simul_plays_all_at_once_but_waits_for_who_plays_elsewhere(server, clock, pair):
    both, first = pair
    host = Program(server)
    simul = Cup(server, clock, 1, "simul", organiser=host)
    simul.join(both[0])
    simul.start()
    (other,) = wait_until(lambda: simul.running)
    assert not of_players([other], both)
    first.win(first.running[0], both[0].username)
    wait_until(lambda: len(simul.running) == 2)


def test_games_of_their_own_choice_keep_players_from_arenas_and_hold_up_no_round(server, clock):
    arena = Cup(server, clock, 2, "arena", minutes=60)
    swiss = Cup(server, clock, 0, "swiss", starts_in=10, rounds=3)
    both = Program(server), Program(server)
    for player in both:
        arena.join(player)
        swiss.join(player)
    game = both[0].begin(both[1], time_control=LONG, side="black")
    for ply, player in enumerate(both):
        assert player.move(game, player.snapshot(game)["legal_moves"][ply], ply).status_code == 200
    arena.start()
    wait_until(lambda: arena.running)
    assert not of_players(arena.running, both)
    swiss.start()
    wait_until(lambda: of_players(swiss.running, both))


def test_programs_play_many_games_at_once(server, clock, pair, database_url):
    both, _first = pair
    for player in both:
        execute(database_url, "UPDATE accounts SET is_computer = true WHERE username = $1", player.username)
    second = Cup(server, clock, 0, "arena", minutes=60, computers=True)
    for player in both:
        second.join(player)
    second.start()
    wait_until(lambda: second.running)
