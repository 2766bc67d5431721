"""Keys of positions: the same for all images of a position, and for no others."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.golden_nugget.board import FORCES, Move, push, pushes, solved, turn
from engine.golden_nugget.positions import CROWDED, IMAGES, keys
from tests.engine.golden_nugget.boards import ROWS, arranged, reached_boards, walk
from tests.support.nugget import image_of, image_of_force, looks

images = st.sampled_from(IMAGES)
forces = st.sampled_from(list(FORCES))


@given(reached_boards(), images, forces)
def test_pushing_commutes_with_each_symmetry(board, image, force):
    image_board, image_force = image_of(board, image), image_of_force(force, image)
    result, of_image = pushes(board)[force], pushes(image_board)[image_force]
    assert getattr(result, "lifted", None) == getattr(of_image, "lifted", None)
    if isinstance(result, Move):
        assert looks(push(image_board, image_force)[0]) == looks(image_of(push(board, force)[0], image))


@given(reached_boards(), images)
def test_turning_the_blocks_commutes_with_each_symmetry(board, image):
    assert looks(turn(image_of(board, image))) == looks(image_of(turn(board), image))


def test_the_images_of_a_solved_board_are_solved():
    board = arranged(ROWS)
    assert all(solved(image_of(board, image)) for image in IMAGES)


@given(reached_boards(), images)
def test_the_images_of_a_position_have_its_key(board, image):
    assert keys(image_of(board, image), "") == keys(board, "")


@given(st.integers(0, 2**32), images)
def test_the_keys_on_the_way_are_those_of_the_positions(seed, image):
    start = image_of(arranged(ROWS), image)
    _, moves = walk(start, 40, random.Random(seed))
    board, alone = start, keys(start, "")
    for move in moves:
        board, _ = push(board, move.force)
        alone += keys(board, "")
    assert keys(start, [move.force for move in moves]) == alone


@given(reached_boards(), st.integers(0, 48), st.integers(0, 48))
def test_only_what_decides_a_position_is_in_its_key(board, one, other):
    """Exchange two blocks: crowded positions are the same if they show the same."""
    cells = list(board.cells)
    cells[one], cells[other] = cells[other], cells[one]
    exchanged = type(board)(board.face, tuple(cells))
    sides = 1 if outside(board) >= CROWDED else 2
    assume((outside(board) >= CROWDED) == (outside(exchanged) >= CROWDED))
    alike = {seen(image_of(board, image), sides) for image in IMAGES}
    assert (keys(board, "") == keys(exchanged, "")) == (seen(exchanged, sides) in alike)


def seen(board, sides):
    return tuple(look[:sides] for look in looks(board))


def outside(board):
    return sum(
        look[0] != "white"
        for square, look in enumerate(looks(board))
        if square // 7 in (0, 6) or square % 7 in (0, 6)
    )
