"""The searches of the number games: full boards of Up And Up, solved boards and beams of Jumping."""

from functools import cache

import pytest

from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.search import up_and_up
from engine.search.jumping import beam, solved
from engine.squares import names
from engine.up_and_up import UP_AND_UP
from tests.engine import naive_numbers as naive
from tests.support.commands import json_lines


@pytest.mark.parametrize("size", range(1, 9))
def test_full_boards_of_up_and_up_are_legal_games(size):
    cells = up_and_up.fill(size)
    position = UP_AND_UP.parse(f"{size}:{','.join(names(size)[cell] for cell in cells)}")
    assert UP_AND_UP.score(position)["solo"] == size**2 == UP_AND_UP.ceiling({"size": size})
    assert up_and_up.fill(size) == cells


@pytest.mark.parametrize("size", [2, 3])
def test_solved_boards_agree_with_the_naive_model(size):
    @cache
    def best(taken, last, before, sign):
        """The best result of the next writer, by exhaustive search."""
        moves = naive.jumping_moves(size, [*sorted(taken - {last}), last])
        values = []
        for move in moves:
            far = naive.distance(*naive.squares_of([last, move]))
            values.append(
                (before is not None and far > before) + sign * best(taken | {move}, move, far, sign)
            )
        return max(values, default=0)

    starts = names(size)
    assert solved.best_solitaire(size).value == max(best(frozenset({s}), s, None, 1) for s in starts)
    assert solved.best_play(size).value == max(-best(frozenset({s}), s, None, -1) for s in starts)


def test_the_beam_finds_the_known_best_scores():
    assert [beam.highest(size).value for size in (3, 4)] == [4, 10]


def test_the_line_of_a_beam_is_a_legal_game_with_its_score():
    line = beam.highest(5)
    position = JUMPING_SOLITAIRE.initial({"size": 5})
    for cell in line.cells:
        position = JUMPING_SOLITAIRE.play(position, names(5)[cell])
    assert JUMPING_SOLITAIRE.score(position) == {"solo": line.value}
    assert beam.highest(5) == line


def test_boards_that_are_too_large_to_solve_are_rejected():
    with pytest.raises(ValueError, match="4×4"):
        solved.best_play(5)


def test_the_records_command_prints_the_known_figures():
    (printed,) = json_lines("postgresql+asyncpg://nowhere/none", "records", "--max-n", 4)
    findings = printed["records"]
    figures = {
        (finding["game"], finding["players"], finding["size"]): finding["value"] for finding in findings
    }
    assert figures == {
        **{("up_and_up", 1, size): size**2 for size in (1, 2, 3, 4)},
        **{("jumping_farther", 1, size): score for size, score in ((2, 0), (3, 4), (4, 10))},
        **{("jumping_farther", 2, size): lead for size, lead in ((2, 0), (3, 3), (4, -3))},
    }
    for finding in findings:
        rules = {
            ("up_and_up", 1): UP_AND_UP,
            ("jumping_farther", 1): JUMPING_SOLITAIRE,
            ("jumping_farther", 2): JUMPING_FARTHER,
        }[finding["game"], finding["players"]]
        if finding["size"] < rules.options["size"].minimum:
            continue
        position = rules.initial({"size": finding["size"]})
        for move in finding["cells"]:
            position = rules.play(position, move)
        points = rules.score(position)
        reached = points["solo"] if finding["players"] == 1 else points["first"] - points["second"]
        assert (rules.legal_moves(position), reached) == ([], finding["value"])
