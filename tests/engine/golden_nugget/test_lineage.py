"""Prefix hashes: equal as long as all boards end alike, whatever the moves."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.golden_nugget.blocks import COLOURS, Face
from engine.golden_nugget.board import FORCES, START, IllegalPush, push, turn, undo
from engine.golden_nugget.entry import verify, verify_file
from engine.golden_nugget.lineage import prefix_hashes
from engine.golden_nugget.record import from_moves
from tests.engine.golden_nugget.boards import reached_boards, walk
from tests.support.nugget import new_record

positions = st.lists(st.permutations(range(1, 50)), min_size=1, max_size=6)


@given(positions, positions, positions)
def test_hashes_are_equal_exactly_up_to_the_last_board_in_common(common, one, other):
    assume(one[0] != other[0])
    first, second = prefix_hashes(common + one), prefix_hashes(common + other)
    looks_alike = looks(one[0]) == looks(other[0])
    assert first[: len(common)] == second[: len(common)] == prefix_hashes(common)
    assert (first[len(common)] == second[len(common)]) == looks_alike
    if not looks_alike:
        assert not set(first[len(common) :]) & set(second)


def looks(cells):
    return [(COLOURS[Face.A][block], COLOURS[Face.B][block]) for block in cells]


@given(reached_boards(), st.sampled_from("ABCDEFG"), st.sampled_from("ABCDEFG"))
def test_pushes_that_commute_leave_the_hash(board, one, other):
    assume(one != other)  # the lines of these forces are parallel
    try:
        first, _ = push(push(board, one)[0], other)
        second, _ = push(push(board, other)[0], one)
    except IllegalPush:
        assume(False)
    assert prefix_hashes([first.cells]) == prefix_hashes([second.cells])


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 10))
def test_a_detour_leaves_the_hash(seed, moves, detour):
    generator = random.Random(seed)
    end, _ = walk(START, moves, generator)
    there, made = walk(end, detour, generator)
    back = there
    for move in reversed(made):
        back = undo(back, move)
    assert prefix_hashes([end.cells, turn(there).cells])[0] == prefix_hashes([back.cells])[0]


@given(st.integers(0, 2**32), st.sampled_from(list(FORCES)))
def test_another_end_has_another_hash(seed, force):
    board, _ = walk(START, 20, random.Random(seed))
    try:
        after, _ = push(board, force)
    except IllegalPush:
        assume(False)
    assert prefix_hashes([after.cells]) != prefix_hashes([board.cells])


def test_a_record_with_detours_has_the_hashes_of_the_record(sample):
    original = verify_file(sample.encode()).prefix_hashes
    assert len(original) == len(set(original)) == 20
    copy = verify(from_moves(new_record(detours=4)))
    assert copy.valid
    assert copy.prefix_hashes == original
