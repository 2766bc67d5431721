"""Cycles: found wherever a record repeats boards, and only there."""

from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.board import START, push, turn
from engine.golden_nugget.cycle import cycle_of, longest_cycle
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.positions import IMAGES
from tests.support.nugget import BEST_RECORD, SAMPLE, looks


@given(st.integers(0, 20), st.integers(1, 12), st.integers(2, 6), st.integers(0, 11), st.integers(0, 5))
def test_a_cycle_is_found_wherever_it_begins(way_in, boards, rounds, more, way_out):
    """The position before it is the end of the first board: board 1 begins as no solved board ends."""
    ends = [-1 - board for board in range(way_in + 1)]
    ends += (list(range(boards)) * (rounds + 1))[: boards * rounds + more % boards + 1]
    last = len(ends)
    ends += [100 + board for board in range(way_out)]
    counts = list(range(len(ends)))
    cycle = longest_cycle(ends, counts)
    assert (cycle.first, cycle.last, cycle.boards) == (way_in + 3, last, boards)
    assert cycle.mean.moves == sum(counts[way_in + 2 : way_in + 2 + boards])


@given(st.lists(st.integers(0, 3), max_size=40))
def test_each_board_of_a_cycle_begins_as_the_one_before_it_did(ends):
    """Board n begins as board n - 1 ends; `ends` begins with the end of board 1."""
    cycle = longest_cycle(ends, ends)
    if cycle is not None:
        assert cycle.last >= cycle.first + 2 * cycle.boards - 1
        for board in range(cycle.first + cycle.boards, cycle.last + 2):
            assert ends[board - 2] == ends[board - 2 - cycle.boards]


@given(st.lists(st.integers(), unique=True, max_size=30))
def test_boards_that_do_not_come_again_are_no_cycle(ends):
    assert longest_cycle(ends, ends) is None


def test_the_cycle_of_the_best_record_returns_to_its_positions():
    record = verify_file(BEST_RECORD.read_bytes()).record
    cycle = cycle_of(record)
    board, ends = START, []
    for recorded in record.boards:
        for move in recorded.moves:
            board, _ = push(board, move[0])
        ends.append(looks(board))
        board = turn(board)
    assert cycle.last - cycle.first > 2 * cycle.boards
    for number in range(cycle.first, cycle.last + 1 - cycle.boards):
        before, after = ends[number - 2], ends[number - 2 + cycle.boards]
        assert any(
            all(after[image.targets[square]] == image.look(look) for square, look in enumerate(before))
            for image in IMAGES
        )


def test_a_record_without_a_cycle_has_none():
    assert cycle_of(verify_file(SAMPLE.read_bytes()).record) is None
