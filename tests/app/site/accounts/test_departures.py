"""What closed and excluded accounts leave, if the server was stopped before it was done."""

import pytest

from tests.support.database import execute, fetch
from tests.support.games import rated_game
from tests.support.moderation import make_moderator
from tests.support.players import Program
from tests.support.tournaments import Cup
from tests.support.waiting import wait_until


@pytest.fixture
def cup(server, clock):
    return Cup(server, clock, 2, "arena", minutes=20, starts_in=60)


def interrupt_closing(database_url, program):
    """Close an account as a server does that is killed right after the commit."""
    execute(
        database_url,
        "WITH closed AS (UPDATE accounts SET closed_at = now() WHERE username = $1 RETURNING id) "
        "INSERT INTO departures SELECT id, now() - interval '1 minute' FROM closed",
        program.username,
    )


def test_an_interrupted_closing_is_completed(program, other, cup, database_url):
    game = rated_game(other, program)
    other.move(game, "c4", 0)
    program.move(game, "f6", 1)
    challenge = program.challenge(opponent=other.username).json()["id"]
    cup.join(program)
    interrupt_closing(database_url, program)
    wait_until(lambda: not departing(database_url, program))
    assert other.http.get(f"/challenges/{challenge}").json()["status"] == "cancelled"
    assert other.snapshot(game)["result"]["termination"] == "resign"
    assert program.username not in cup.points


@pytest.mark.parametrize("action", ["close", "ban"])
def test_what_a_moderator_closes_or_excludes_is_looked_at_again(server, program, database_url, action):
    moderator = make_moderator(database_url, Program(server))
    body = {"username": program.username, "action": action, "reason": "Cheating"}
    assert moderator.http.post("/moderation/actions", json=body).status_code == 201
    assert departing(database_url, program)


def departing(database_url, program):
    (count,) = fetch(
        database_url,
        "SELECT count(*) FROM departures JOIN accounts ON accounts.id = account_id WHERE username = $1",
        program.username,
    )
    return count == 1
