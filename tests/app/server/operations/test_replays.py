"""Games that are damaged, each in another way: the check of all games names them, and goes on."""

import json

import pytest

from app.server.operations.replays import Problem, StoredGame, problems_of
from engine.jadejack import JADEJACK

START = JADEJACK.format(JADEJACK.initial({"size": 9}))
MOVED = JADEJACK.format(JADEJACK.play(JADEJACK.initial({"size": 9}), "a1"))
SOUND = StoredGame("sound", "jadejack", '{"size": 9}', False, MOVED, 1, ["a1"], 1)

VALUES = [None, True, -1, 9.5, 1e999, 10**30, "", "9", "damaged", "long" * 2500, [], [9], {}, {"size": None}]
DAMAGES = [
    *({"options": text} for text in ("", "{", "NaN", "[" * 100_000, None)),
    *({"options": json.dumps(value)} for value in VALUES if value != {}),
    *({"options": json.dumps({"size": value})} for value in VALUES),
    *({"options": json.dumps({"sise": value})} for value in VALUES),
    *({"moves": [value]} for value in (None, "", "-1", "damaged", "long" * 2500, "pass pass", "\0")),
    *({"moves": value} for value in ([], ["a1", "c3"], [None, None])),
    *({"game": value} for value in (None, "", "damaged", "up_and_up")),
    *({"position": value} for value in (None, "", "damaged", START)),
    *({"ply": value} for value in (None, -1, 0, 2)),
    {"is_solitaire": True},
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: repr(damage)[:40])
def test_a_damaged_game_is_a_problem_and_the_others_are_checked(damage):
    damaged = SOUND._replace(id="damaged", **damage)
    moved = SOUND._replace(id="moved", position=START)
    assert [problem.game for problem in problems_of([damaged, SOUND, moved])] == ["damaged", "moved"]


def test_a_problem_names_the_error():
    [problem] = problems_of([SOUND._replace(moves=[None])])
    assert isinstance(problem, Problem)
    assert problem.problem.startswith("it cannot be replayed: TypeError: ")
