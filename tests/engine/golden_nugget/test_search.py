"""The beam search: its distance, and that what it finds is a solution under the rules."""

import random

import pytest
from hypothesis import given

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, IllegalPush, push, pushes, solved
from engine.golden_nugget.entry import verify_file
from engine.search.golden_nugget import NoSolutionError, Solved, distance, main, solve
from tests.engine.golden_nugget.boards import COLUMNS, ROWS, any_boards, arranged, reached_boards


@given(reached_boards())
def test_one_move_changes_the_distance_by_six_at_most(board):
    for force, move in pushes(board).items():
        if not isinstance(move, IllegalPush):
            assert abs(distance(push(board, force)[0]) - distance(board)) <= 6


@given(any_boards())
def test_only_solved_boards_are_at_distance_0(board):
    assert (distance(board) == 0) == (solved(board) is not None)


@pytest.mark.parametrize("face", Face)
def test_solved_boards_are_at_distance_0(face):
    assert distance(arranged(ROWS, face)) == distance(arranged(COLUMNS, face)) == 0


def test_the_distance_counts_steps():
    assert distance(arranged("yyyyyww bbbbbww pppppww rrrrrww gggggww wwwwwww wwwwwww")) == 30
    assert distance(arranged("wwwwwww wyyyyww wbbbbbw wpppppw wrrrrrw wgggggw ywwwwww")) == 6


def test_solutions_keep_to_the_rules():
    nearly, _ = push(push(arranged(ROWS), "2")[0], "T")
    found = solve([Solved(nearly)], width=20, generator=random.Random(1))
    assert len({solution.board for solution in found}) == len(found)
    for solution in found:
        board = nearly
        for move in solution.boards[-1]:
            board, made = push(board, move.force)
            assert made == move
        assert solved(board)
        assert solution.board.cells == board.cells
        assert solution.board.face is Face.B


def test_a_narrow_beam_may_find_nothing():
    with pytest.raises(NoSolutionError):
        solve([Solved(START)], width=1, generator=random.Random(1))


def test_the_same_seed_finds_the_same():
    nearly, _ = push(push(arranged(COLUMNS), "3")[0], "E")
    assert len({tuple(solve([Solved(nearly)], 9, random.Random(seed))) for seed in (1, 1)}) == 1


def test_the_command_prints_a_record(capsys):
    main(["--boards", "1", "--width", "200", "--seed", "1"])
    (problem,) = verify_file(capsys.readouterr().out.encode()).problems
    assert problem.code == "too_few_boards"
