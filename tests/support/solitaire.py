"""Games for one, for tests: played whole by programs and people."""

import random
from functools import cache

from engine.registry import SOLITAIRE


@cache
def random_games(game, size, tries=400):
    """The moves of whole games by their points and what breaks ties, such as (14, 3)."""
    rules, found = SOLITAIRE[game], {}
    for seed in range(tries):
        choose, moves = random.Random(seed).choice, []
        position = rules.initial({"size": size})
        while legal := rules.legal_moves(position):
            moves.append(choose(legal))
            position = rules.play(position, moves[-1])
        score = rules.score(position)
        key = (score["solo"], score[rules.tie_break] if rules.tie_break else 0)
        found.setdefault(key, tuple(moves))
    return found


def begin(program, game="up_and_up", size=4):
    """Start a game for one by the API and give its id."""
    answer = program.http.post("/games", json={"game": game, "options": {"size": size}})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def play(program, game_id, moves, ply=0):
    """Play moves by the API and give the last snapshot."""
    for number, move in enumerate(moves, ply):
        answer = program.move(game_id, move, number)
        assert answer.status_code == 200, answer.text
    return answer.json()


def submit(program, game, size, moves):
    """Play a whole game and submit it; gives its id."""
    game_id = begin(program, game, size)
    play(program, game_id, moves)
    answer = program.http.post(f"/games/{game_id}/submit")
    assert answer.status_code == 200, answer.text
    return game_id
