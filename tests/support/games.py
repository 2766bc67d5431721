"""Terms and steps of games for two, played by programs."""

import hashlib
import json

from app.play.games import creation
from app.play.games.game import RATED_FROM
from engine.registry import FOR_TWO
from tests.support.database import execute, fetch, on_database
from tests.support.players import Visitor

BLITZ = {"kind": "realtime", "limit": 300, "increment": 5}


def post(program, path, **body):
    return program.http.post(path, json=body or None)


def rated_game(black, white, **members):
    """Start a rated game and return its id."""
    return black.begin(white, **{"side": "black", "rated": True, **members})


def lost_rated_game(loser, winner, **members):
    """Play a rated game in which the loser resigns as soon as the result counts, and return its id."""
    game = rated_game(loser, winner, **members)
    play_until_rated(loser, winner, game)
    assert post(loser, f"/games/{game}/resign").json()["result"]["termination"] == "resign"
    return game


def move_once_each(black, white, game):
    """Play the first move of each side."""
    assert black.move(game, "c4", 0).status_code == 200
    assert white.move(game, "f6", 1).status_code == 200


def play_until_rated(black, white, game, plies=RATED_FROM):
    """Play on to the ply from which on the result of a rated game counts, or to another one."""
    snapshot = black.snapshot(game)
    rules = FOR_TWO[snapshot["game"]]
    position = rules.parse(snapshot["position"])
    for ply in range(snapshot["ply"], plies):
        move = rules.legal_moves(position)[0]
        assert (black, white)[ply % 2].move(game, move, ply).status_code == 200
        position = rules.play(position, move)


def prove(database_url, player, rating=1500):
    """Give a player a rating that twenty games against ten opponents have proven."""
    execute(
        database_url,
        "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents) "
        "SELECT id, 'jadejack', $2::float, 60, 0.06, 20, 10 FROM accounts WHERE username = $1 "
        "ON CONFLICT (account_id, game) DO UPDATE SET rating = $2::float, deviation = 60, opponents = 10",
        player.username,
        rating,
    )


def stand_against_computer(database_url, username, line):
    """Begin a casual game of JadeJack on 9×9 after some moves, and return its id; the player is Black."""
    names = "SELECT (SELECT id FROM accounts WHERE username = $1), id FROM accounts WHERE computer_level = 1"
    players = list(fetch(database_url, names, username))

    async def create(database):
        async with database.transaction() as session:
            return await creation.create(session, "jadejack", {"size": 9}, players, opening=line)

    return on_database(database_url, create)


def coached_game(server, database_url):
    """Return a guest who is to make the first move of a game with a coach, and its id.

    The computer has already found out that a pass would lose 9 points.
    """
    know_that_a_pass_is_bad(database_url)
    terms = {"game": "jadejack", "level": "1", "coach": "yes"}
    while True:
        guest = Visitor(server)
        page = guest.http.post("/challenges/computer", data=terms)
        if "Your turn" in page.text:
            return guest, page.url.path.rpartition("/")[2]


def know_that_a_pass_is_bad(database_url):
    """Store comparisons in which a pass as the first move of JadeJack loses 9 points, and d5 a single one."""
    rules = FOR_TWO["jadejack"]
    start, best = rules.initial({}), ["e4", 5, ["d4"]]
    know_weighed(database_url, rules, start, [best, ["pass", -4, ["c3"]]])
    know_weighed(database_url, rules, start, [best, ["d5", 4, []]])


def know(database_url, rules, position, ranking):
    """Store the result of a position's evaluation, as a worker does."""
    result = {"ranking": ranking, "depth": 3, "positions": 1}
    _store(database_url, f"evaluate_position:{rules.key}", rules.format(position), result)


def know_weighed(database_url, rules, position, moves, best=""):
    """Store the comparison of a move with the best one, as a worker does; `best` if it is known before."""
    text = f"{rules.format(position)} {moves[1][0]} {best}"
    _store(database_url, f"weigh_move:{rules.key}", text, {"moves": moves})


def _store(database_url, kind, text, result):
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    execute(
        database_url,
        "INSERT INTO job_results (key, result) VALUES ($1, $2) "
        "ON CONFLICT (key) DO UPDATE SET result = excluded.result, created_at = now()",
        f"{kind}:{digest}",
        json.dumps(result),
    )
