"""Learning the values of squares: the player plays itself, and the values are fitted to the results.

Each generation plays with the weights of the one before and is fitted to the games of all generations; fitted
to its own games alone, it would forget situations that no longer occur. The weights in the project come from
five generations of 2,300 to 2,500 games: `python -m engine.search.jadejack.training --games 2400`.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from engine.jadejack import JADEJACK, KOMI, Position
from engine.search.arrays import Array
from engine.search.jadejack import evaluation, kernels
from engine.search.jadejack.array_position import as_arrays
from engine.search.jadejack.evaluation import CLEAR, Weights
from engine.search.jadejack.player import SelectiveSkill, choose
from engine.search.player import ALL_MOVES

_FILLED = (0.0, 0.25, 0.5, 0.75, 1.0, 1.4, 1.8)
_KINDS = 1 + 2 * kernels.HEIGHTS
_LEADS = 2 * CLEAR + 1
_SKILLS = tuple(
    SelectiveSkill(depth, 10**6, width=width) for depth, width in ((1, ALL_MOVES), (2, 8), (2, 8), (3, 5))
)
_NOISES = (20, 60, 150, 400)
_SAMPLES = 24  # positions taken from each game
_MARGIN = 40  # points; larger margins count as this one
_SMOOTH = 200.0  # weight of the penalty on differences between neighbouring weights, in positions
_SMALL = 4.0  # weight of the penalty on the size of all weights


def plain() -> Weights:
    """Return the initial weights: the current points, and a little for larger leads."""
    leads = np.arange(-CLEAR, CLEAR + 1)
    rows = np.zeros((_KINDS, _LEADS), np.int64)
    rows[0] = kernels.POINT * np.sign(leads) + 12 * np.clip(leads, -3, 3)
    return Weights(_FILLED, np.array([rows] * len(_FILLED)))


def played(games: int, generator: Random) -> Iterator[tuple[Array, float, float]]:
    """Play games. Yield features, disks per square and Black's final lead (points) of sampled positions."""
    for _ in range(games):
        size = generator.choice((8, 9, 10, 11))
        skill = replace(generator.choice(_SKILLS), noise=generator.choice(_NOISES))
        position = JADEJACK.initial({"size": size})
        seen: list[Position] = []
        opening = generator.choice((2, 4, 8))
        while JADEJACK.side_to_move(position) is not None:
            if len(seen) < opening:
                move = generator.choice(JADEJACK.legal_moves(position)[:-1])
            else:
                move = choose(position, skill, generator.randrange(1 << 30), seconds=60).move
            position = JADEJACK.play(position, move)
            seen.append(position)
        score = JADEJACK.score(position)
        lead = float(np.clip(score["black"] - score["white"] + KOMI, -_MARGIN, _MARGIN))
        for sample in generator.sample(seen, min(len(seen), _SAMPLES)):
            yield features(sample), sum(map(len, sample.stacks)) / size**2, lead


def features(position: Position) -> Array:
    """Return the number of squares by kind and lead: those of Black minus the mirrored ones of White."""
    planes = as_arrays(position).planes.astype(np.int64)
    leads = np.clip(planes[kernels.BLACK] - planes[kernels.WHITE], -CLEAR, CLEAR)
    counts = np.zeros((_KINDS, _LEADS), np.int16)
    for kind, lead in zip(planes[kernels.KIND], leads, strict=True):
        if kind == 0:
            counts[0, CLEAR + abs(lead)] += np.sign(lead)
        elif kind < _KINDS:
            counts[kind, CLEAR + lead] += 1
        else:
            counts[kind - _KINDS + 1, CLEAR - lead] -= 1
    return counts.ravel()


def fitted(samples: list[tuple[Array, float, float]]) -> Weights:
    """Return the weights whose sums are closest to the final leads, smoothed along `filled` and leads."""
    width, marks = _KINDS * _LEADS + 1, np.array(_FILLED)
    counts = np.array([sample[0] for sample in samples], np.float64)
    counts = np.column_stack([counts, np.ones(len(counts))])  # a constant: the value of moving first
    filled = np.clip([sample[1] for sample in samples], 0, marks[-1] - 1e-9)
    ends = np.array([sample[2] for sample in samples])
    places = np.searchsorted(marks, filled, side="right") - 1
    shares = (filled - marks[places]) / (marks[places + 1] - marks[places])
    matrix, target = np.eye(len(marks) * width) * _SMALL, np.zeros(len(marks) * width)
    for place in range(len(marks) - 1):
        chosen = places == place
        share = shares[chosen, None]
        blended = np.column_stack([counts[chosen] * (1 - share), counts[chosen] * share])
        part = slice(place * width, (place + 2) * width)
        matrix[part, part] += blended.T @ blended
        target[part] += blended.T @ ends[chosen]
    for weight, neighbour in _neighbours(width):
        matrix[weight, weight] += _SMOOTH
        matrix[neighbour, neighbour] += _SMOOTH
        matrix[weight, neighbour] -= _SMOOTH
        matrix[neighbour, weight] -= _SMOOTH
    solution = np.linalg.solve(matrix, target).reshape(len(marks), width)[:, :-1]
    rows = np.round(solution * kernels.POINT).astype(np.int64).reshape(len(marks), _KINDS, _LEADS)
    rows[:, 0, :CLEAR] = -rows[:, 0, :CLEAR:-1]
    rows[:, 0, CLEAR] = 0
    return Weights(_FILLED, rows)


def _neighbours(width: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of weights that should not differ much."""
    for mark in range(len(_FILLED)):
        for weight in range(width):
            if mark:
                yield (mark - 1) * width + weight, mark * width + weight
            if weight % _LEADS and weight < width - 1 and weight != CLEAR + 1:
                yield mark * width + weight - 1, mark * width + weight


def to_text(weights: Weights) -> str:
    """Return weights as the text of the file, with one row per line."""
    tables = [",\n   ".join(json.dumps(row.tolist()) for row in rows) for rows in weights.values]
    values = "\n  ],\n  [\n   ".join(tables)
    filled = json.dumps(list(weights.filled))
    return f'{{\n "filled": {filled},\n "values": [\n  [\n   {values}\n  ]\n ]\n}}\n'


def main() -> None:
    """Train, and write the weights after each generation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--games", type=int, default=2_400, help="per generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    arguments = parser.parse_args()
    generator = Random(arguments.seed)  # noqa: S311 - nothing secret
    samples: list[tuple[Array, float, float]] = []
    weights = plain()
    for generation in range(arguments.generations):
        evaluation.use(weights)
        samples += played(arguments.games, generator)
        weights = fitted(samples)
        arguments.out.write_text(to_text(weights), encoding="utf-8")
        print(f"generation {generation + 1}: {len(samples)} positions", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
