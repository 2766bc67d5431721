"""Closing an account."""

from tests.support.answers import code
from tests.support.players import PASSWORD, Visitor


def test_nobody_challenges_a_closed_account(server, program):
    gone = Visitor(server).register()
    waiting = program.challenge(opponent=gone.username).json()["id"]
    assert gone.http.post("/account/close").status_code == 200
    assert code(program.challenge(opponent=gone.username)) == (422, "closed_account")
    assert program.http.get(f"/challenges/{waiting}").json()["status"] == "cancelled"
    again = gone.http.post("/login", data={"username": gone.username, "password": PASSWORD})
    assert again.status_code == 401


def test_an_account_with_games_under_way_stays_open(server, program):
    player = Visitor(server).register()
    challenge = program.challenge(opponent="link").json()["id"]
    player.http.post(f"/challenges/{challenge}/accept")
    refused = player.http.post("/account/close")
    assert refused.status_code == 422
    assert "games under way" in refused.text
