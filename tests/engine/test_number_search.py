"""The searches of the number games: beams for one player, and rounds for two that are solved."""

from functools import cache

import pytest

from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE, most_points
from engine.search import up_and_up
from engine.search.jumping import solitaire, solved
from engine.squares import names
from engine.up_and_up import UP_AND_UP
from tests.engine import naive_numbers as naive
from tests.support.commands import json_lines

_ENOUGH = 20_000  # positions, so that the beam drops none on small boards


def _best_of_all(size, sign):
    """The best result of Jumping Farther by exhaustive search; `sign` is -1 if an opponent writes next."""

    @cache
    def best(taken, last, before):
        moves = naive.jumping_moves(size, [*sorted(taken - {last}), last])
        values = []
        for move in moves:
            far = naive.distance(*naive.squares_of([last, move]))
            values.append((before is not None and far > before) + sign * best(taken | {move}, move, far))
        return max(values, default=0)

    return max(sign * best(frozenset({start}), start, None) for start in names(size))


@cache
def _fewest_resets(position):
    """The fewest resets of all full boards of Up And Up that follow a position, None if there are none."""
    if len(position.cells) == position.size**2:
        return position.resets
    moves = UP_AND_UP.legal_moves(position)
    return min(
        (found for move in moves if (found := _fewest_resets(UP_AND_UP.play(position, move))) is not None),
        default=None,
    )


def _played(rules, size, cells):
    position = rules.initial({"size": size})
    for cell in cells:
        position = rules.play(position, names(size)[cell])
    return position


@pytest.mark.parametrize("size", [2, 3])
def test_the_bound_of_the_points_is_reached_by_exhaustive_search(size):
    assert _best_of_all(size, 1) == most_points(size)


@pytest.mark.parametrize("size", range(2, 13))
def test_the_bound_of_the_points_is_one_formula(size):
    assert most_points(size) == size**2 - size - 2
    assert size < 3 or JUMPING_SOLITAIRE.ceiling({"size": size}) == most_points(size)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_fewest_resets_are_those_of_exhaustive_search(size):
    best = up_and_up.fewest_resets(size, _ENOUGH)
    assert best.is_proved
    assert best.value == _fewest_resets(UP_AND_UP.initial({"size": size}))
    assert best.value >= UP_AND_UP.least_tie_break({"size": size})


@pytest.mark.parametrize("size", range(1, 9))
def test_boards_of_up_and_up_are_filled_by_legal_games(size):
    best = up_and_up.fewest_resets(size, width=300)
    position = _played(UP_AND_UP, size, best.cells)
    assert UP_AND_UP.score(position) == {"solo": size**2, "resets": best.value}
    assert up_and_up.fewest_resets(size, width=300) == best


@pytest.mark.parametrize("size", range(3, 9))
def test_the_highest_score_is_that_of_a_finished_game(size):
    best = solitaire.highest(size, width=300)
    position = _played(JUMPING_SOLITAIRE, size, best.cells)
    assert position.is_over
    assert JUMPING_SOLITAIRE.score(position) == {"solo": best.value}
    assert best.value <= most_points(size)
    assert solitaire.highest(size, width=300) == best


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_small_boards_of_jumping_reach_the_bound(size):
    best = solitaire.highest(size, _ENOUGH)
    assert (best.value, best.is_proved) == (most_points(size), True)


def test_a_search_that_drops_positions_proves_nothing():
    best = up_and_up.fewest_resets(5, width=100)
    assert (best.value > 5, best.is_proved) == (True, False)


@pytest.mark.parametrize("size", [2, 3])
def test_solved_rounds_agree_with_the_naive_model(size):
    assert solved.best_play(size).value == _best_of_all(size, -1)


@pytest.mark.parametrize(("size", "lead"), [(1, 0), (2, 0), (3, 3), (4, -3), (5, 4)])
def test_bounds_of_a_round_close_in_on_its_lead(size, lead):
    """The leads are those of a search of all positions, from the full board to the first number."""
    least, most = -(size**2 // 2), size**2 // 2
    for bounds in solved.Solver(size).bounds():
        assert least <= bounds.least <= lead <= bounds.most <= most
        least, most = bounds.least, bounds.most
    assert least == most == lead


@pytest.mark.parametrize("size", [3, 4, 5])
def test_best_play_is_a_finished_round_with_its_lead(size):
    best = solved.best_play(size)
    points = JUMPING_FARTHER.score(end := _played(JUMPING_FARTHER, size, best.cells))
    assert (end.is_over, points["first"] - points["second"]) == (True, best.value)


def test_boards_that_are_too_large_to_solve_are_rejected():
    with pytest.raises(ValueError, match="6×6"):
        solved.best_play(7)


def test_the_records_command_prints_the_known_figures():
    (printed,) = json_lines("postgresql+asyncpg://nowhere/none", "records", "--max-n", 4)
    findings = {(found["game"], found["players"], found["size"]): found for found in printed["records"]}
    assert {key: (found["value"], found["tie_break"]) for key, found in findings.items()} == {
        **{("up_and_up", 1, size): (size**2, resets) for size, resets in enumerate((0, 2, 3, 5), 1)},
        **{("jumping_farther", 1, size): (score, None) for size, score in ((2, 0), (3, 4), (4, 10))},
        **{("jumping_farther", 2, size): (lead, None) for size, lead in ((2, 0), (3, 3), (4, -3))},
    }
    assert all(found["proof"] for found in findings.values())
    assert {found["tie_break_proof"] for key, found in findings.items() if key[0] == "up_and_up"} == {
        "bound",
        "exhaustive_search",
    }


def test_the_records_command_searches_what_it_is_asked_for():
    arguments = ("up_and_up", "--min-n", 6, "--max-n", 6, "--width", 50_000)
    (printed,) = json_lines("postgresql+asyncpg://nowhere/none", "records", *arguments)
    ((game, size, resets),) = ((r["game"], r["size"], r["tie_break"]) for r in printed["records"])
    assert (game, size, resets) == ("up_and_up", 6, 7)
