"""The searches of the number games: full boards of Up And Up, and small boards of Jumping solved."""

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.search import up_and_up
from engine.search.jumping import beam, solved
from engine.squares import names
from engine.up_and_up import UP_AND_UP
from tests.engine import naive_numbers as naive


@pytest.mark.parametrize("size", range(1, 9))
def test_up_and_up_is_filled_by_the_rules(size):
    cells = up_and_up.fill(size)
    position = UP_AND_UP.parse(f"{size}:{','.join(names(size)[cell] for cell in cells)}")
    assert UP_AND_UP.score(position)["solo"] == size**2 == UP_AND_UP.ceiling({"size": size})
    assert up_and_up.fill(size) == cells


@pytest.mark.parametrize("size", [2, 3])
def test_small_boards_are_solved_as_the_plain_model_solves_them(size):
    @cache
    def best(taken, last, before, sign):
        """What the next writer gets by playing on, tried out move by move."""
        moves = naive.jumping_moves(size, [*sorted(taken - {last}), last])
        worth = []
        for move in moves:
            far = naive.distance(*naive.squares_of([last, move]))
            worth.append((before is not None and far > before) + sign * best(taken | {move}, move, far, sign))
        return max(worth, default=0)

    starts = names(size)
    assert solved.best_solitaire(size).value == max(best(frozenset({s}), s, None, 1) for s in starts)
    assert solved.best_play(size).value == max(-best(frozenset({s}), s, None, -1) for s in starts)


def test_a_beam_finds_the_best_where_it_is_known():
    for size in (3, 4):
        assert beam.best_found(size).value == solved.best_solitaire(size).value


def test_what_a_beam_finds_is_reached_by_the_rules():
    found = beam.best_found(5)
    position = JUMPING_SOLITAIRE.initial({"size": 5})
    for cell in found.cells:
        position = JUMPING_SOLITAIRE.play(position, names(5)[cell])
    assert JUMPING_SOLITAIRE.score(position) == {"solo": found.value}
    assert beam.best_found(5) == found


def test_boards_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match="4×4"):
        solved.best_play(5)


def test_the_command_proves_the_known_figures():
    command = [sys.executable, "-m", "app", "records", "--max-n", "4"]
    environment = {**os.environ, "GORRION_DATABASE_URL": "postgresql+asyncpg://nowhere/none"}
    run = subprocess.run(command, capture_output=True, check=True, env=environment)
    found = json.loads(run.stdout)["records"]
    figures = {(one["game"], one["players"], one["size"]): one["value"] for one in found}
    assert figures == {
        **{("up_and_up", 1, size): size**2 for size in (1, 2, 3, 4)},
        **{("jumping_farther", 1, size): score for size, score in ((2, 0), (3, 4), (4, 10))},
        **{("jumping_farther", 2, size): lead for size, lead in ((2, 0), (3, 3), (4, -3))},
    }
    for one in found:
        rules = {
            ("up_and_up", 1): UP_AND_UP,
            ("jumping_farther", 1): JUMPING_SOLITAIRE,
            ("jumping_farther", 2): JUMPING_FARTHER,
        }[one["game"], one["players"]]
        if one["size"] < rules.options["size"].minimum:
            continue
        position = rules.initial({"size": one["size"]})
        for move in one["cells"]:
            position = rules.play(position, move)
        points = rules.score(position)
        reached = points["solo"] if one["players"] == 1 else points["first"] - points["second"]
        assert (rules.legal_moves(position), reached) == ([], one["value"])
