"""Terms and steps of games for two, played by programs."""

from engine.registry import FOR_TWO
from tests.support.waiting import wait_until

BLITZ = {"kind": "realtime", "limit": 300, "increment": 5}


def post(program, path, **body):
    return program.http.post(path, json=body or None)


def rated_game(black, white, **members):
    """Start a rated game and return its id."""
    made = black.challenge(opponent=white.username, side="black", rated=True, **members)
    assert made.status_code == 201, made.text
    return white.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]


def lost_rated_game(loser, winner, **members):
    """Play a rated game in which the loser resigns after each side has moved, and return its id."""
    game = rated_game(loser, winner, **members)
    move_once_each(loser, winner, game)
    assert post(loser, f"/games/{game}/resign").json()["result"]["termination"] == "resign"
    return game


def move_once_each(black, white, game):
    """Play the first move of each side."""
    assert black.move(game, "c4", 0).status_code == 200
    assert white.move(game, "f6", 1).status_code == 200


def look_at_pass(program, game_id):
    """Have the computer evaluate the position of a game and that after a pass, which the server remembers."""
    rules = FOR_TWO["jadejack"]
    position = rules.parse(program.snapshot(game_id)["position"])
    for shown in (position, rules.play(position, "pass")):
        body = {"game": rules.key, "position": rules.format(shown)}
        wait_until(lambda: program.http.post("/evaluations", json=body).status_code == 200, within=90)  # noqa: B023
