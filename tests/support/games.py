"""Terms and steps of games for two, played by programs."""

BLITZ = {"kind": "realtime", "limit": 300, "increment": 5}


def post(program, path, **body):
    return program.http.post(path, json=body or None)


def rated_game(black, white, **members):
    """Start a rated game and return its id."""
    made = black.challenge(opponent=white.username, side="black", rated=True, **members)
    assert made.status_code == 201, made.text
    return white.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
