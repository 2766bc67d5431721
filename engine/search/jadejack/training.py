"""Training the network: the search plays itself, and the network learns what it finds by looking ahead.

Each generation searches positions near games of its own, some random moves away from them, because a search
meets moves that nobody would play. The network learns by how much the value that a search finds differs from
the one after the greatest gain, which is where it is asked. Positions of every tenth game are only for
checking. The same seed gives the same network.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine.jadejack import JADEJACK
from engine.search.arrays import Array
from engine.search.jadejack import kernels, training_kernels
from engine.search.jadejack.evaluation import table_for
from engine.search.jadejack.kernels import UNITS
from engine.search.jadejack.memory import geometry, search_of
from engine.search.jadejack.network import Judge, Network, empty, judge, mirror

_SIZES = (8, 8, 8, 8, 9, 9, 10, 10, 10, 11, 12, 13)
_SHARE = 0.25  # of the positions of a game
_MOST = 60  # positions of a game
_FULLEST = 1.9  # disks per square
_BUDGETS = np.array([1_500, 20_000])  # evaluations, for a move and for a position
_ROOM = 1 << 13  # positions in the table of a search
_CHECKED = 10  # one game in so many is for checking

_BATCH = 256  # positions
_RATE = 2e-3
_WARM = 100  # batches until the rate is reached
_DECAY = 1e-6
_CUT = 5.0  # points; larger errors count as this one
_MARGIN = 40.0  # points; larger leads count as this one


class Positions(NamedTuple):
    """Positions on boards of one size: their entries, disks per square, and what a network should say."""

    tokens: Array
    filled: Array
    wanted: Array


class Trained(NamedTuple):
    """A network, the number of positions that it was trained with, and how well it does.

    These are the mean errors (root mean square, in points) without and with the network on the positions for
    checking.
    """

    network: Network
    positions: int
    error_without: float
    error: float


def train(*, generations: int, games: int, epochs: int, seed: int, jobs: int) -> Iterator[Trained]:
    """Yield the network of each generation, which plays with the one before."""
    known: list[dict[int, Positions]] = []
    network: Network | None = None
    for generation in range(generations):
        known += gathered(games, network, seed + generation, jobs)
        rest = [each for number, each in enumerate(known) if number % _CHECKED]
        network = fitted(_joined(rest), epochs, seed)
        checked = _joined(known[::_CHECKED])
        without = [each.wanted for each in checked.values()]
        errors = [each.wanted - predicted(each, size, network) for size, each in checked.items()]
        positions = sum(len(each.wanted) for each in _joined(known).values())
        yield Trained(network, positions, _mean(without), _mean(errors))


def gathered(games: int, network: Network | None, seed: int, jobs: int) -> list[dict[int, Positions]]:
    """Return the positions of so many games of a network, by the size of the board."""
    generator = np.random.default_rng(seed)
    sizes = generator.choice(_SIZES, games).tolist()
    seeds = generator.integers(1 << 31, size=games).tolist()
    if jobs == 1:
        return list(map(_played, sizes, seeds, repeat(network)))
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(partial(_played, network=network), sizes, seeds, chunksize=4))


def _played(size: int, seed: int, network: Network | None) -> dict[int, Positions]:
    """Return the positions of a game."""
    tables, judges = _evaluations(size, network)
    search = search_of(JADEJACK.initial({"size": size}), tables[0].copy(), judge(network, 0.0), _ROOM)
    squares = size**2
    tokens, filled = np.zeros((_MOST, squares), np.uint8), np.zeros(_MOST, np.float32)
    gained, worth = np.zeros(_MOST, np.int64), np.zeros(_MOST, np.int64)
    order, values = np.zeros(squares + 1, np.int64), np.zeros(squares + 1, np.int64)
    memory = (order, values, np.zeros(squares + 1, np.bool_), np.zeros(1, np.int64))
    found = (tokens, filled, gained, worth)
    count = training_kernels.play(search, tables, judges, seed, _BUDGETS, _SHARE, mirror(), *found, memory)
    ends = np.clip(worth[:count] / kernels.POINT, -_MARGIN, _MARGIN)
    begins = np.clip(gained[:count] / kernels.POINT, -_MARGIN, _MARGIN)
    return {size: Positions(tokens[:count], filled[:count], (ends - begins).astype(np.float32))}


def _evaluations(size: int, network: Network | None) -> tuple[Array, Judge]:
    """Return the tables and the networks for each number of disks."""
    filled = [disks / size**2 for disks in range(round(_FULLEST * size**2))]
    judges = [judge(network, each) for each in filled]
    stacked = [np.stack(arrays) for arrays in zip(*(each[2:] for each in judges), strict=True)]
    return np.stack([table_for(each) for each in filled]), Judge(*judges[0][:2], *stacked)


def _joined(games: Sequence[dict[int, Positions]]) -> dict[int, Positions]:
    sizes = sorted({size for game in games for size in game})
    same = {size: [game[size] for game in games if size in game] for size in sizes}
    return {size: Positions(*map(np.concatenate, zip(*each, strict=True))) for size, each in same.items()}


def predicted(positions: Positions, size: int, network: Network) -> Array:
    """Return what a network adds to the value of positions, in points."""
    found = np.zeros(len(positions.wanted), np.float32)
    hidden = np.zeros((size**2, UNITS), np.float32)
    training_kernels.values(*positions[:2], _near(size), network, found, hidden)
    return found


def fitted(positions: dict[int, Positions], epochs: int, seed: int) -> Network:
    """Return a network that is trained with positions: by Adam, with a rate that falls to 0."""
    generator = np.random.default_rng(seed)
    network = _begun(generator)
    first, second = empty(), empty()
    batches = sum(-(-len(each.wanted) // _BATCH) for each in positions.values())
    step, steps = 0, epochs * batches
    for _ in range(epochs):
        for size, batch in _shuffled(positions, generator):
            step += 1
            slopes = empty()
            hidden = np.zeros((size**2, UNITS), np.float32)
            training_kernels.gradients(*batch, _near(size), network, slopes, hidden, np.float32(_CUT))
            rate = _RATE * min(1, step / _WARM) * (1 + np.cos(np.pi * step / steps)) / 2
            for arrays in zip(network, slopes, first, second, strict=True):
                _adjust(*arrays, len(batch.wanted), step, rate)
    return network


def _adjust(
    value: Array, slope: Array, mean: Array, square: Array, count: int, step: int, rate: float
) -> None:
    """Change values by the sum of the slopes at so many positions, as Adam does in a step."""
    slope /= count
    slope += _DECAY * value
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    value -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)


def _shuffled(
    positions: dict[int, Positions], generator: np.random.Generator
) -> Iterator[tuple[int, Positions]]:
    """Yield batches of positions of one size, in random order."""
    chosen: list[tuple[int, Array]] = []
    for size, each in positions.items():
        order = generator.permutation(len(each.wanted))
        chosen += [(size, order[first : first + _BATCH]) for first in range(0, len(order), _BATCH)]
    for at in generator.permutation(len(chosen)):
        size, rows = chosen[at]
        yield size, Positions(*(array[rows] for array in positions[size]))


def _begun(generator: np.random.Generator) -> Network:
    """Return a network at random that adds little."""
    network = empty()
    network.patterns[:] = generator.normal(0, 0.1, network.patterns.shape)
    network.bias[:] = 0.1
    network.weights[:] = generator.normal(0, 0.01, network.weights.shape)
    return network


@cache
def _near(size: int) -> Array:
    """Return the squares next to each one, those beside it first; the number of squares is none."""
    board = geometry(size)
    return np.where(board.lengths > 0, board.rays[:, :, 0], size**2).astype(np.int64)


def _mean(errors: Sequence[Array]) -> float:
    return float(np.sqrt(np.mean(np.concatenate(errors) ** 2)))
