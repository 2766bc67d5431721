"""The network of JadeJack: what kernels compute is what its numbers say, and training lessens its errors."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Side
from engine.jadejack import JADEJACK, position_of
from engine.search.jadejack import kernels, training, training_kernels
from engine.search.jadejack.evaluation import table_for
from engine.search.jadejack.memory import board_of, disks, entries, search_of
from engine.search.jadejack.network import OUTSIDE, Network, empty, judge, mirror, stored
from tests.engine.strategies import any_positions, reached_positions
from tests.support.effort import cases

pytestmark = pytest.mark.usefixtures("compiled_searches")


def network_of(seed):
    generator = np.random.default_rng(seed)
    return Network(*(generator.normal(0, 0.3, array.shape).astype(np.float32) for array in empty()))


NETWORK = network_of(1)


def seen(position):
    """Return the entries of a position's squares from the view of the side to move, by row and column."""
    found = entries(board_of(position))
    if position.side is Side.WHITE:
        found = mirror()[found]
    return np.pad(found.reshape(position.size, position.size), 1, constant_values=OUTSIDE)


def expected(position, network):
    """Return what a network adds to the value of a position, in points, computed plainly."""
    near, filled = seen(position), disks(position) / position.size**2
    powers = np.array([1, filled, filled**2])
    value = powers @ network.move
    for row in range(1, position.size + 1):
        for column in range(1, position.size + 1):
            units = network.bias.astype(float)
            for up in (-1, 0, 1):
                for right in (-1, 0, 1):
                    units = units + network.patterns[abs(up) + abs(right), near[row + up, column + right]]
            value += powers @ network.squares[:, near[row, column]]
            value += np.maximum(units, 0) @ (powers @ network.weights)
    return value


def judged(position, network):
    filled = disks(position) / position.size**2
    return int(kernels.judged(search_of(position, table_for(filled), judge(network, filled))))


@settings(max_examples=cases(60))
@given(position=reached_positions() | any_positions())
def test_kernels_compute_what_the_numbers_say(position):
    value = expected(position, NETWORK)
    assert judged(position, NETWORK) == pytest.approx(kernels.POINT * value, abs=2 + abs(value) / 100)
    assert judged(position, None) == 0


@settings(max_examples=cases(60))
@given(position=reached_positions() | any_positions(), turned=st.booleans(), mirrored=st.booleans())
def test_a_network_judges_a_position_and_its_images_alike(position, turned, mirrored):
    board = np.array(position.stacks, object).reshape(position.size, -1)
    board = board.T if turned else board
    board = board[:, ::-1] if mirrored else board
    swap = str.maketrans("bw", "wb")
    stacks = tuple(stack.translate(swap) for stack in board.ravel())
    other = Side.WHITE if position.side is Side.BLACK else Side.BLACK
    image = position_of(position.size, stacks, other, position.passes)
    assert judged(image, NETWORK) == pytest.approx(judged(position, NETWORK), abs=2)


def some_positions(network, count=12, size=8):
    generator = random.Random(1)
    positions = []
    for _ in range(count):
        position = JADEJACK.initial({"size": size})
        for _ in range(generator.randrange(4, 40)):
            position = JADEJACK.play(position, generator.choice(JADEJACK.legal_moves(position)))
            if JADEJACK.side_to_move(position) is None:
                break
        positions.append(position)
    tokens = np.array([seen(position)[1:-1, 1:-1].ravel() for position in positions], np.uint8)
    filled = np.array([disks(position) / size**2 for position in positions], np.float32)
    wanted = np.array([expected(position, network) for position in positions], np.float32)
    return training.Positions(tokens, filled, wanted)


def test_training_sees_what_the_search_sees():
    network = network_of(3)
    positions = some_positions(network)
    assert training.predicted(positions, 8, network) == pytest.approx(positions.wanted, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", Network._fields)
def test_gradients_are_those_of_half_the_squared_errors(name):
    network = network_of(4)
    positions = some_positions(network_of(5), count=4)
    near = training._near(8)
    hidden = np.zeros((64, kernels.UNITS), np.float32)

    def half(network):
        errors = training.predicted(positions, 8, network) - positions.wanted
        return float((errors.astype(float) ** 2).sum() / 2)

    slopes = Network(*map(np.zeros_like, network))
    training_kernels.gradients(*positions, near, network, slopes, hidden, np.float32(1e9))
    slope = getattr(slopes, name)
    steepest = np.unravel_index(np.argmax(abs(slope)), slope.shape)
    changed = [Network(*map(np.copy, network)) for _ in range(2)]
    for each, step in zip(changed, (1e-3, -1e-3), strict=True):
        getattr(each, name)[steepest] += step
    assert (half(changed[0]) - half(changed[1])) / 2e-3 == pytest.approx(slope[steepest], rel=0.02)


def test_training_is_reproducible_and_lessens_the_errors():
    terms = {"generations": 2, "games": 6, "epochs": 12, "seed": 3}
    networks = []
    for jobs in (1, 2):
        *_, trained = training.train(jobs=jobs, **terms)
        assert trained.positions > 100
        assert trained.error < trained.error_without
        networks.append(trained.network)
    one, two = networks
    assert all(np.array_equal(*arrays) for arrays in zip(one, two, strict=True))


def test_the_network_of_the_project_is_small():
    assert sum(array.nbytes for array in stored()) < 1_000_000


def test_a_file_of_another_version_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", **{name: np.zeros((2, 2)) for name in Network._fields})
    with pytest.raises(ValueError, match="no network of this version"):
        stored(str(tmp_path / "other.npz"))
