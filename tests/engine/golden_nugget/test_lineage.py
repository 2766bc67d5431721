"""Shared boards: recognised whatever an attacker puts around them, and not by chance."""

import random
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.golden_nugget.board import FORCES, START, IllegalPush, push, turn
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.lineage import PIECE, Path, paths_of, shared_boards
from engine.golden_nugget.positions import IMAGES, keys
from engine.golden_nugget.pushes import common_pushes
from tests.engine.golden_nugget.boards import reached_boards, walk
from tests.support.nugget import RECORD, SAMPLE, SHORT_RECORD, image_of, image_of_force

seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def source():
    return paths_of(verify_file(RECORD.read_bytes()).record)[:30]


def path_of(start, forces):
    return Path(keys(start, forces), "".join(forces))


def plays(paths):
    """Return the starts of the boards of a run from board 1 on."""
    starts, board = [], START
    for path in paths:
        starts.append(board)
        for force in path.forces:
            board, _ = push(board, force)
        board = turn(board)
    return starts


def own_boards(count, seed):
    """Return boards of random pushes, which are nobody's (and not solved, which is not looked at)."""
    generator, board, paths = random.Random(seed), START, []
    for _ in range(count):
        end, moves = walk(board, 25, generator)
        paths.append(path_of(board, [move.force for move in moves]))
        board = turn(end)
    return paths


@given(seeds)
def test_boards_are_found_anywhere_and_in_any_order(source, seed):
    generator = random.Random(seed)
    taken = generator.sample(range(1, 31), 6)
    mine = own_boards(10, seed)
    places = generator.sample(range(10), 6)
    for place, number in zip(places, taken, strict=True):
        mine[place] = source[number - 1]
    assert shared_boards(mine, source) == dict(sorted((p + 1, t) for p, t in zip(places, taken, strict=True)))


@given(seeds, st.sampled_from(IMAGES))
def test_turned_and_mirrored_boards_are_found(source, seed, image):
    number = random.Random(seed).randrange(1, 30)
    start = image_of(plays(source)[number], image)
    mine = path_of(start, [image_of_force(force, image) for force in source[number].forces])
    assert shared_boards([mine], source) == {1: number + 1}


@given(seeds)
def test_detours_leave_a_board_shared(source, seed):
    generator = random.Random(seed)
    number = generator.randrange(30)
    start, forces = plays(source)[number], list(source[number].forces)
    for _ in range(3):
        place = generator.randrange(len(forces) + 1)
        board = start
        for force in forces[:place]:
            board, _ = push(board, force)
        there_and_back = _detour(board, generator)
        forces[place:place] = there_and_back
    assert shared_boards([path_of(start, forces)], source) == {1: number + 1}


def _detour(board, generator):
    """Return two pushes that lead back to a board, none if there are no such."""
    for force in generator.sample(list(FORCES), len(FORCES)):
        for back in FORCES:
            try:
                if push(push(board, force)[0], back)[0] == board:
                    return [force, back]
            except IllegalPush:
                continue
    return []


@given(seeds)
def test_parallel_pushes_in_another_order_leave_a_board_shared(source, seed):
    generator = random.Random(seed)
    number = generator.randrange(30)
    start, forces = plays(source)[number], list(source[number].forces)
    for place in generator.sample(range(1, len(forces)), len(forces) - 1):
        forces[place - 1 : place + 1] = forces[place - 1 : place + 1][::-1]
        if not _leads_to(start, forces, source[number]):
            forces[place - 1 : place + 1] = forces[place - 1 : place + 1][::-1]
    assert shared_boards([path_of(start, forces)], source) == {1: number + 1}


def _leads_to(start, forces, path):
    try:
        return keys(start, forces)[-1] == path.keys[-1]
    except IllegalPush:
        return False


@given(seeds, st.integers(0, 12))
def test_a_board_that_is_left_after_a_piece_is_shared_and_before_is_not(source, seed, made):
    generator = random.Random(seed)
    number = generator.randrange(1, 30)
    start, forces = plays(source)[number], list(source[number].forces[:made])
    board = start
    for force in forces:
        board, _ = push(board, force)
    _, away = walk(board, 40, generator)
    mine = path_of(start, forces + [move.force for move in away])
    met = set(mine.keys[made + 1 :]) & set(source[number].keys)
    assume(not met)
    assert shared_boards([mine], source) == ({1: number + 1} if made >= PIECE else {})


@given(seeds)
def test_a_push_more_leaves_a_board_shared_though_all_positions_differ(source, seed):
    """The pushes of the source are made beside its positions, from a start that is nearly the same."""
    generator = random.Random(seed)
    number = generator.randrange(1, 29)
    start = plays(source)[number]
    force = generator.choice(list(FORCES))
    try:
        beside, _ = push(start, force)
        mine = path_of(start, [force, *source[number].forces])
    except IllegalPush:
        assume(False)
    assume(not set(keys(beside, source[number].forces)) & set(source[number].keys))
    assert shared_boards([mine], source) == {1: number + 1}


def test_shared_boards_lead_to_those_beside_them(source):
    """A board without any position of the source is found by its pushes, next to one that is shared."""
    positions = {key for path in source for key in path.keys}
    found = [
        (number, beside)
        for number, start in enumerate(plays(source))
        if number > 0
        for beside in _beside(start, source[number].forces)
        if not positions.intersection(beside.keys)
    ]
    assert len(found) > 20
    for number, beside in found:
        assert shared_boards([beside], source) == {}
        assert shared_boards([source[number - 1], beside], source) == {1: number, 2: number + 1}


def _beside(start, forces):
    """Yield the paths of the forces from each position that is one push away from a start."""
    for force in FORCES:
        with suppress(IllegalPush):
            yield path_of(push(start, force)[0], forces)


@pytest.mark.parametrize(("one", "other"), [(RECORD, SHORT_RECORD), (SHORT_RECORD, SAMPLE), (SAMPLE, RECORD)])
def test_independent_records_share_nothing_but_board_1(one, other):
    mine, theirs = (paths_of(verify_file(file.read_bytes()).record) for file in (one, other))
    assert set(shared_boards(mine, theirs)) <= {1}
    assert set(shared_boards(theirs, mine)) <= {1}


@given(st.text("".join(FORCES), max_size=30), st.text("".join(FORCES), max_size=30))
def test_common_pushes_are_the_longest_common_subsequence_of_some_lay(one, other):
    def longest(a, b):
        row = [0] * (len(b) + 1)
        for force in a:
            before = row[:]
            for place, their in enumerate(b, 1):
                row[place] = before[place - 1] + 1 if force == their else max(before[place], row[place - 1])
        return row[-1]

    lays = ["".join(image_of_force(force, image) for force in other) for image in IMAGES[:8]]
    assert common_pushes(one, other) == max(longest(_in_order(one), _in_order(lay)) for lay in lays)
    assert common_pushes(one, one) == len(one)


def _in_order(forces):
    """Sort neighbours that are parallel until none is out of order."""
    forces = list(forces)
    line = {force: min(squares) for force, squares in FORCES.items()}
    is_row = {force: abs(squares[1] - squares[0]) == 1 for force, squares in FORCES.items()}
    for _ in forces:
        for place in range(1, len(forces)):
            one, other = forces[place - 1 : place + 1]
            if is_row[one] == is_row[other] and line[one] > line[other]:
                forces[place - 1 : place + 1] = [other, one]
    return "".join(forces)


@given(reached_boards(), st.sampled_from("ABCDEFG"), st.sampled_from("ABCDEFG"))
def test_pushes_of_parallel_lines_commute(board, one, other):
    assume(one != other)
    try:
        first, _ = push(push(board, one)[0], other)
        second, _ = push(push(board, other)[0], one)
    except IllegalPush:
        assume(False)
    assert first == second
