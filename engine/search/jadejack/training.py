"""Learning what squares are worth: games of the player against itself, and a fit to how they ended.

Each generation plays with what the ones before it learned, and is fitted to the games of all of them; with
the games of the last one alone the player forgets what it no longer sees. The weights that ship come from
five generations of 2,300 to 2,500 games: `python -m engine.search.jadejack.training --games 2400`.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from engine.jadejack import JADEJACK, Position
from engine.search.arrays import Array
from engine.search.jadejack import evaluation, kernels
from engine.search.jadejack.board import board_of
from engine.search.jadejack.evaluation import CLEAR, Weights
from engine.search.jadejack.player import Skill, choose

_FILLED = (0.0, 0.25, 0.5, 0.75, 1.0, 1.4, 1.8)
_KINDS = 1 + 2 * kernels.HEIGHTS
_LEADS = 2 * CLEAR + 1
_SKILLS = (Skill(1, 200, 10**6), Skill(2, 8, 10**6), Skill(2, 8, 10**6), Skill(3, 5, 10**6))
_NOISES = (20, 60, 150, 400)
_SAMPLES = 24  # positions of a game that are learned from
_MARGIN = 40  # points; to win by more is as good
_SMOOTH = 200.0  # how much neighbouring weights are drawn together, in positions
_SMALL = 4.0  # how much all weights are drawn to 0


def plain() -> Weights:
    """Give the weights that one begins with: points as they stand, and a little for a greater lead."""
    leads = np.arange(-CLEAR, CLEAR + 1)
    rows = np.zeros((_KINDS, _LEADS), np.int64)
    rows[0] = kernels.POINT * np.sign(leads) + 12 * np.clip(leads, -3, 3)
    return Weights(_FILLED, np.array([rows] * len(_FILLED)))


def played(games: int, generator: Random) -> Iterator[tuple[Array, float, float]]:
    """Play games and give, of some positions, the features, disks a square, and Black's lead at the end."""
    for _ in range(games):
        size, skill = generator.choice((8, 9, 10, 11)), generator.choice(_SKILLS)
        skill = Skill(skill.depth, skill.width, skill.budget, generator.choice(_NOISES))
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
        lead = float(np.clip(score["black"] - score["white"] + 1.5, -_MARGIN, _MARGIN))
        for one in generator.sample(seen, min(len(seen), _SAMPLES)):
            yield features(one), sum(map(len, one.stacks)) / size**2, lead


def features(position: Position) -> Array:
    """Count the squares of each kind by the lead on them: Black's less White's, seen from each one's side."""
    planes = board_of(position).planes.astype(np.int64)
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
    """Give the weights whose sums come closest to how the games ended, smooth along leads and filling."""
    width, marks = _KINDS * _LEADS + 1, np.array(_FILLED)
    counts = np.array([sample[0] for sample in samples], np.float64)
    counts = np.column_stack([counts, np.ones(len(counts))])  # what the first move is worth
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
    for one, other in _neighbours(width):
        matrix[one, one] += _SMOOTH
        matrix[other, other] += _SMOOTH
        matrix[one, other] -= _SMOOTH
        matrix[other, one] -= _SMOOTH
    found = np.linalg.solve(matrix, target).reshape(len(marks), width)[:, :-1]
    rows = np.round(found * kernels.POINT).astype(np.int64).reshape(len(marks), _KINDS, _LEADS)
    rows[:, 0, :CLEAR] = -rows[:, 0, :CLEAR:-1]
    rows[:, 0, CLEAR] = 0
    return Weights(_FILLED, rows)


def _neighbours(width: int) -> Iterator[tuple[int, int]]:
    """Give the pairs of weights that should not differ much."""
    for mark in range(len(_FILLED)):
        for weight in range(width):
            if mark:
                yield (mark - 1) * width + weight, mark * width + weight
            if weight % _LEADS and weight < width - 1 and weight != CLEAR + 1:
                yield mark * width + weight - 1, mark * width + weight


def to_text(weights: Weights) -> str:
    """Write weights as the file has them, a row a line."""
    tables = [",\n   ".join(json.dumps(row.tolist()) for row in rows) for rows in weights.worths]
    worths = "\n  ],\n  [\n   ".join(tables)
    filled = json.dumps(list(weights.filled))
    return f'{{\n "filled": {filled},\n "worths": [\n  [\n   {worths}\n  ]\n ]\n}}\n'


def main() -> None:
    """Learn, and write the weights after each generation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--games", type=int, default=2_400, help="of a generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    given = parser.parse_args()
    generator = Random(given.seed)  # noqa: S311 - nothing secret
    samples: list[tuple[Array, float, float]] = []
    weights = plain()
    for generation in range(given.generations):
        evaluation.use(weights)
        samples += played(given.games, generator)
        weights = fitted(samples)
        given.out.write_text(to_text(weights), encoding="utf-8")
        print(f"generation {generation + 1}: {len(samples)} positions", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
