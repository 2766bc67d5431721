"""Solitaire games, played to the end."""

import random
from functools import cache

from engine.registry import SOLITAIRE


@cache
def random_games(game, size, tries=400):
    """Return the moves of random games by (points, tie break), such as (14, 3)."""
    rules, games = SOLITAIRE[game], {}
    for seed in range(tries):
        choose, moves = random.Random(seed).choice, []
        position = rules.initial({"size": size})
        while legal := rules.legal_moves(position):
            moves.append(choose(legal))
            position = rules.play(position, moves[-1])
        score = rules.score(position)
        key = (score["solo"], score[rules.tie_break] if rules.tie_break else 0)
        games.setdefault(key, tuple(moves))
    return games


def begin(program, game="up_and_up", size=4):
    """Start a solitaire game through the API and return its id."""
    answer = program.http.post("/games", json={"game": game, "options": {"size": size}})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def play(program, game_id, moves, ply=0):
    """Play moves through the API and return the last snapshot."""
    for number, move in enumerate(moves, ply):
        answer = program.move(game_id, move, number)
        assert answer.status_code == 200, answer.text
    return answer.json()


def submit(program, game, size, moves):
    """Play a game to the end, submit it, and return its id."""
    game_id = begin(program, game, size)
    play(program, game_id, moves)
    answer = program.http.post(f"/games/{game_id}/submit")
    assert answer.status_code == 200, answer.text
    return game_id
