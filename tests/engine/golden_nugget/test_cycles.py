"""The search for cycles of boards, and for a first board that leads into one: both keep the rules."""

import random
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, Board, IllegalPush, Move, push, solved, undo
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import to_text
from engine.search.nugget import approach, approach_kernels
from engine.search.nugget.approach import Goals, distance
from engine.search.nugget.graph import FIRST, Graph
from engine.search.nugget.nodes import node_of
from engine.search.nugget.pairs import PUSHES, pairs
from engine.search.nugget.tables import FORCE_NAMES, KINDS, LINES
from engine.search.nugget.tasks import Approaching
from tests.support.effort import cases

pytestmark = pytest.mark.usefixtures("compiled_searches")

NEAR = 3


@pytest.fixture(scope="module")
def found():
    """The nodes of some pairs, each with the board that leads to the other node."""
    return list(pairs(2_000_000, seed=2))


def end_of(node, forces):
    """The board at a node after pushes by the rules."""
    board = Board(Face.A, tuple(node))
    for force in forces:
        board, _ = push(board, FORCE_NAMES[force])
    return board


def test_a_pair_of_boards_ends_where_it_began_after_the_fewest_pushes(found):
    following = dict(found)
    assert len(following) >= 2
    for node, board in found:
        assert len(board.forces) == PUSHES == 12
        end = end_of(node, board.forces)
        assert solved(end)
        assert node_of(bytes(end.cells), 1) == board.node
        assert following[board.node].node == node


@pytest.fixture(scope="module")
def near(found):
    """A solved board, the goal that it has reached, and the table of the boards near it."""
    node, board = found[0]
    end = end_of(node, board.forces)
    kinds = KINDS[list(end.cells)]
    (goal,) = [goal for goal in approach._goals(board.node) if (goal.kinds == kinds).all()]
    assert distance(bytes(end.cells), board.node) == 0
    return end, goal, Goals([board.node], NEAR)


@settings(max_examples=cases(40))
@given(st.integers(0, NEAR + 1), st.integers(0, 2**32))
def test_the_table_knows_how_far_a_goal_is(near, steps, seed):
    board, goal, goals = near
    chance = random.Random(seed)
    for _ in range(steps):
        board = chance.choice(list(boards_before(board)))
    moves = goals.moves(np.array(board.cells), goal)
    assert moves <= steps or steps > NEAR
    pushed = [goals.moves(np.array(after.cells), goal) for after in boards_after(board)]
    assert moves == 0 or min(pushed) == moves - 1 or moves == min(pushed) == 255 or min(pushed) == NEAR


def boards_before(board):
    for force in FORCES:
        for lifted in range(2, 8):
            try:
                yield undo(board, Move(force, lifted))
            except IllegalPush:
                continue


def boards_after(board):
    for force in FORCES:
        try:
            yield push(board, force)[0]
        except IllegalPush:
            continue


@settings(max_examples=cases(20))
@given(st.integers(0, 2**32))
def test_what_a_push_changes_is_what_is_computed_anew(near, seed):
    """The boards after a push, their estimates and their keys are those of the rules."""
    _, goal, goals = near
    board, chance = Board(Face.A, tuple(FIRST)), random.Random(seed)
    for _ in range(chance.randrange(40)):
        board = chance.choice(list(boards_after(board)))
    number = chance.randrange(8)
    goal = goals.all[number]
    places = approach._places(KINDS[list(board.cells)], goal.kinds, np.random.default_rng(seed), spread=1)
    key = approach_kernels.key_of(KINDS[list(board.cells)], goal.hashes)
    children = np.empty(28, np.int32), np.empty(28, np.uint8), np.empty(28, np.int32), np.empty(28, np.uint64)
    count, _, _ = approach_kernels.expand(
        places[None], np.array([number]), np.array([key]), LINES, *approach.SHAPE,
        goals.tables, goals.near_keys, goals.near_moves, goals.mask, *children,
    )  # fmt: skip
    parents, forces, costs, keys = (child[:count] for child in children)
    after = {FORCE_NAMES[force]: push(board, FORCE_NAMES[force])[0] for force in forces}
    assert len(after) == len(list(boards_after(board)))
    line_costs = np.empty(14, np.int64)
    advanced = approach_kernels.advance(places[None], parents, forces, LINES, approach.SHAPE[1])
    for child, force, cost, key in zip(advanced, forces, costs, keys, strict=True):
        kinds = KINDS[list(after[FORCE_NAMES[force]].cells)]
        assert approach_kernels.key_of(kinds, goal.hashes) == key
        assert [goal.kinds[place] if place < 49 else 0 for place in child] == kinds.tolist()
        across, _, *weights = approach.SHAPE
        assert approach_kernels.estimate(child, across, *weights, line_costs) == cost


def test_a_first_board_and_a_cycle_are_a_record(found):
    node = min((node for node, _ in found), key=lambda node: distance(FIRST, node))
    *_, last = Approaching((node,), width=3_000, seed=1).run(threading.Event())
    (way,) = last.boards
    assert way.node == node
    graph = Graph()
    for source, board in [*found, (FIRST, way)]:
        graph.add(graph.number(source), 1, [board])
    run = graph.run(graph.costs(20).path)
    verdict = verify_file(to_text(run.record).encode())
    assert not verdict.problems
    assert verdict.counts == (len(way.forces), *[12] * 19)
