"""Who is connected does not lose a game because a server or PostgreSQL was away."""

import pytest

from tests.support.games import BLITZ
from tests.support.players import Program
from tests.support.waiting import wait_until


@pytest.fixture
def blitz(servers):
    """Return Black, White and the id of their game with a clock."""
    black, white = (Program(server) for server in servers)
    return black, white, black.begin(white, side="black", time_control=BLITZ)


def test_players_of_a_server_that_was_silent_are_present_again(servers, blitz):
    black, white, game = blitz
    with black.socket(game):
        wait_until(lambda: claim(white, game) == "not_left")
        servers[0].pause()
        try:
            wait_until(lambda: claim(white, game) == "too_early")
        finally:
            servers[0].resume()
        wait_until(lambda: claim(white, game) == "not_left")


def test_players_are_present_after_postgres_was_restarted(postgres, blitz):
    black, white, game = blitz
    with black.socket(game):
        wait_until(lambda: claim(white, game) == "not_left")
        postgres.stop()
        postgres.start()
        wait_until(lambda: claim(white, game) == "not_left")
        postgres.cut()
        wait_until(lambda: claim(white, game) == "not_left")


def claim(program, game):
    """Claim the win, and return the code with which that is refused."""
    answer = program.http.post(f"/games/{game}/claim")
    assert answer.status_code in (409, 503), answer.text
    return answer.json()["code"]
