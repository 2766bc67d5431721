"""Perft tables: each line of `perft/<game>.txt` is `position;depth;count`."""

from pathlib import Path

import pytest

from engine.perft import perft, split
from engine.registry import GAMES

ROWS = [
    pytest.param(file.stem, *line.split(";"), id=f"{file.stem}-{line}")
    for file in sorted(Path(__file__).with_name("perft").glob("*.txt"))
    for line in file.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("key", "position", "depth", "count"), ROWS)
def test_perft(key, position, depth, count):
    game = GAMES[key]
    parsed = game.parse(position)
    counted = perft(game, parsed, int(depth))
    if counted != int(count):
        by_move = "\n".join(f"{move} {number}" for move, number in split(game, parsed, int(depth)).items())
        pytest.fail(f"perft {depth} of {position} is {counted}, not {count}. By move:\n{by_move}")


@pytest.mark.parametrize("game", GAMES.values())
def test_split_adds_up_to_perft(game):
    position = game.initial({})
    by_move = split(game, position, 2)
    assert list(by_move) == game.legal_moves(position)
    assert sum(by_move.values()) == perft(game, position, 2)
    assert perft(game, position, 0) == 1
