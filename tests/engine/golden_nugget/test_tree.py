"""Nodes of the open tree: images of a position are one, and moves are carried from one to another."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.board import START, Move, push, turn
from engine.golden_nugget.positions import IMAGES, follow
from engine.golden_nugget.record import parse
from engine.golden_nugget.tree import START_NODE, carried, steps_of
from tests.engine.golden_nugget.boards import reached_boards, walk
from tests.support.nugget import RECORD, image_of, image_of_force, looks


@given(reached_boards(), st.sampled_from(IMAGES), st.integers(0, 2**32))
def test_moves_are_carried_to_every_image_of_a_position(board, image, seed):
    end, moves = walk(board, 8, random.Random(seed))
    here = image_of(board, image)
    for move in carried(moves, board, here):
        here, made = push(here, move.force)
        assert made == move
    # Several ways may lead to a symmetrical position, so only what is seen can be compared.
    assert any(looks(here) == looks(image_of(end, each)) for each in IMAGES)


@given(reached_boards(), st.integers(0, 2**32))
def test_moves_are_not_carried_to_another_position(board, seed):
    other, _moves = walk(board, 1, random.Random(seed))
    if not any(looks(other) == looks(image_of(board, image)) for image in IMAGES):
        with pytest.raises(ValueError, match="images"):
            carried([], board, other)


def test_the_steps_of_a_record_follow_each_other():
    steps = list(steps_of(parse(RECORD.read_text()).record))
    assert steps[0].node == START_NODE
    assert [step.next for step in steps[:-1]] == [step.node for step in steps[1:]]
    assert 40 < len({step.next for step in steps}) < len(steps) == 200  # the rest is a cycle


@pytest.mark.parametrize("image", IMAGES)
def test_a_solved_board_and_its_images_are_one_node(image):
    step, second = parse(RECORD.read_text()).record.boards[:2]
    board = turn(follow(START, "".join(word[0] for word in step.moves)).end)
    forces = "".join(word[0] for word in second.moves)
    there = "".join(image_of_force(force, image) for force in forces)
    assert follow(image_of(board, image), there).keys[-1] == follow(board, forces).keys[-1]


def test_a_step_has_the_blocks_and_the_moves_of_its_board():
    record = parse(RECORD.read_text()).record
    board, total = START, 0
    for step, recorded in zip(steps_of(record), record.boards, strict=True):
        for word in recorded.moves:
            board, made = push(board, word[0])
            assert isinstance(made, Move)
        total += len(recorded.moves)
        assert (step.blocks, step.moves, step.reached) == (bytes(board.cells), len(recorded.moves), total)
        board = turn(board)
