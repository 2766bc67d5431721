"""Lower bounds: heights, the search that completes them, certificates, and forged ones."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from engine.golden_nugget.board import FORCES, START, IllegalPush, Move, push, solved, undo
from engine.golden_nugget.bounds import (
    DIGITS,
    LAYOUTS,
    MAX_BYTES,
    MAX_HEIGHTS,
    UNIT,
    Certificate,
    border_bound,
    cells_of,
    fall,
    height,
    least_moves,
    parse,
    to_text,
    verify,
)
from engine.golden_nugget.positions import IMAGES
from engine.search.nugget.bounds import NotProvenError, best_heights, prove
from engine.search.nugget.exhaustion import exhaust
from tests.engine.golden_nugget.boards import COLUMNS, ROWS, any_boards, arranged, walk
from tests.support.nugget import image_of

FLAT = [((0,) * 49,) * 5]
TALL = ((61,) * 49,) * 5
SHIPPED = Path("docs/samples/golden-nugget-board-1-bound.json")


def pushed(board):
    for force in FORCES:
        try:
            yield push(board, force)[0]
        except IllegalPush:
            continue


def before(board):
    for force in FORCES:
        for lifted in range(2, 8):
            try:
                yield undo(board, Move(force, lifted))
            except IllegalPush:
                continue


def within(board, moves):
    """The fewest moves in which a board is solved, found by trying everything; None if more are needed."""
    level, seen = {cells_of(board): board}, set()
    for count in range(moves + 1):
        if any(solved(each) for each in level.values()):
            return count
        seen |= level.keys()
        level = {cells_of(after): after for each in level.values() for after in pushed(each)}
        level = {cells: each for cells, each in level.items() if cells not in seen}
    return None


@pytest.fixture(scope="module")
def near():
    """Boards some moves back from solved ones, with how many at most, and the layout there."""
    generator = random.Random(5)
    found = []
    for letters in (ROWS, COLUMNS):
        end = arranged(letters)
        for moves in (1, 2, 3):
            for _ in range(3):
                board = end
                for _ in range(moves):
                    board = generator.choice(list(before(board)))
                found.append((board, moves, cells_of(end)))
    return found


@pytest.fixture(scope="module")
def certificate(near):
    """A certificate of a board three moves from a solved one, as a file; its heights are flat but for one."""
    board, moves, layout = near[6]
    assert within(board, moves) == moves == 3
    flat = dict.fromkeys(LAYOUTS, FLAT)
    name = next(name for name in LAYOUTS if LAYOUTS[name] == layout)
    return to_text(Certificate(board, moves, flat | {name: [best_heights(cells_of(board), layout)]}))


def test_layouts_are_the_solved_boards():
    assert len(set(LAYOUTS.values())) == 240
    assert LAYOUTS["rows ybprg"] == cells_of(arranged(ROWS))
    assert LAYOUTS["columns grpby"] == cells_of(arranged(COLUMNS))


@given(any_boards())
def test_a_push_never_lowers_a_board_by_more_than_the_fall(board):
    generator = random.Random(1)
    heights = tuple(tuple(generator.randrange(62) for _ in range(49)) for _ in range(5))
    most = fall(heights)
    for after in pushed(board):
        assert height(heights, cells_of(board)) - height(heights, cells_of(after)) <= most


def test_heights_are_admissible_near_solved_boards_and_on_the_way(near):
    for board, moves, layout in near:
        heights = best_heights(cells_of(board), layout)
        assert fall(heights) <= UNIT
        assert least_moves(heights, cells_of(board), layout) <= moves
        path = [board, *walk_of(board, 20)]
        for one, other in pairwise(path):  # a push is worth one move at most
            above = [least_moves(heights, cells_of(each), layout) for each in (one, other)]
            assert above[0] <= above[1] + 1


def walk_of(board, count):
    for _ in range(count):
        board, _ = walk(board, 1, random.Random(count))
        yield board


def test_the_search_agrees_with_trying_everything(near):
    for board, moves, _ in near[::4]:
        fewest = within(board, moves)
        for most in range(moves + 1):
            ruled_out = all(exhaust(cells_of(board), layout, FLAT, most) for layout in LAYOUTS.values())
            assert ruled_out == (fewest > most)


def test_a_bound_is_valid_up_to_the_fewest_moves_and_no_further(near, certificate):
    verdict = verify(certificate.encode(), exhaust)
    assert verdict.valid
    assert verdict.bound == 3
    assert 0 < verdict.searched < 240
    with pytest.raises(NotProvenError):
        prove(near[6][0], 4)


def test_the_border_bounds_board_1():
    assert border_bound(START) == 12


def test_certificates_are_read_as_they_are_written(certificate):
    assert to_text(parse(certificate.encode())) == certificate


def changed(certificate, **fields):
    return json.dumps(json.loads(certificate) | fields).encode()


def codes(data):
    verdict = verify(data, exhaust)
    assert not verdict.valid
    return {flaw.code for flaw in verdict.errors}


def test_a_greater_bound_is_refused(certificate):
    assert codes(changed(certificate, bound=json.loads(certificate)["bound"] + 1)) == {"not_proven"}


def test_another_position_is_refused(certificate, near):
    end = f"A:{','.join(map(str, arranged(ROWS).cells))}"
    assert codes(changed(certificate, position=end)) == {"not_proven"}


def test_heights_that_fall_too_steeply_are_refused(certificate):
    layouts = json.loads(certificate)["layouts"]
    layouts["rows ybprg"] = [" ".join(["0z" * 24 + "0"] * 5)]
    assert codes(changed(certificate, layouts=layouts)) == {"too_steep"}


def test_flat_heights_prove_nothing_about_far_boards():
    flat = [" ".join([DIGITS[0] * 49] * 5)]
    forged = {
        "format": "gorrion bound 1",
        "position": f"A:{','.join(map(str, arranged(ROWS).cells))}",
        "bound": 1,
        "layouts": dict.fromkeys(LAYOUTS, flat),
    }
    verdict = verify(json.dumps(forged).encode(), exhaust)
    assert [flaw.code for flaw in verdict.errors] == ["not_proven"]  # for the layout that it has already


def test_a_missing_or_strange_layout_is_refused(certificate):
    layouts = json.loads(certificate)["layouts"]
    for wrong in (dict(list(layouts.items())[1:]), layouts | {"rows yyyyy": layouts["rows ybprg"]}, [], None):
        assert codes(changed(certificate, layouts=wrong)) == {"syntax"}


@pytest.mark.parametrize(
    "fields",
    [
        {"format": "gorrion bound 2"},
        {"bound": -1},
        {"bound": 100},
        {"bound": True},
        {"bound": "3"},
        {"position": "A:1,2"},
        {"position": "C:" + ",".join(map(str, range(1, 50)))},
        {"position": "A:" + ",".join(["1"] * 49)},
        {"position": None},
    ],
)
def test_wrong_fields_are_refused(certificate, fields):
    assert codes(changed(certificate, **fields)) == {"syntax"}


@pytest.mark.parametrize("tables", [[], ["0"], [None], ["-" * 49] * 5, [" ".join(["0" * 48] * 5)], "0"])
def test_wrong_tables_are_refused(certificate, tables):
    layouts = json.loads(certificate)["layouts"] | {"rows ybprg": tables}
    assert codes(changed(certificate, layouts=layouts)) == {"syntax"}


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"1", b"[" * 100_000, b" " * (MAX_BYTES + 1)])
def test_what_is_no_certificate_is_refused(data):
    assert codes(data) == {"syntax"}


def test_the_largest_certificate_is_read():
    largest = Certificate(START, 99, dict.fromkeys(LAYOUTS, (TALL,) * MAX_HEIGHTS))
    data = to_text(largest).encode()
    assert len(data) <= MAX_BYTES
    assert parse(data) == largest


def test_no_search_proves_nothing_that_needs_one(certificate):
    verdict = verify(certificate.encode(), None)
    assert verdict.searched == len(verdict.errors) > 0


def test_the_certificate_of_board_1_proves_what_it_says():
    data = SHIPPED.read_bytes()
    assert parse(data).board == START
    verdict = verify(data, exhaust)
    assert verdict.valid
    assert verdict.bound == 20


def test_images_of_a_board_take_as_many_moves(near):
    for board, moves, _ in near[::3]:
        for image in IMAGES[1::5]:
            other = image_of(board, image)
            assert border_bound(other) == border_bound(board)
            assert within(other, moves) == within(board, moves)
