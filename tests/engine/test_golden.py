"""Golden playthroughs: `golden/*.txt` are transcripts of whole games, compared line by line.

The first line has the key and the options of the game. Each further line has ply, move, position, score and
number of legal moves; the last line has the outcome.
"""

from pathlib import Path

import pytest

from engine.registry import GAMES

FILES = sorted(Path(__file__).with_name("golden").glob("*.txt"))


def transcript(header: str, moves: list[str]) -> list[str]:
    """The lines of the transcript of these moves."""
    key, *settings = header.split()
    game = GAMES[key]
    position = game.initial({name: int(value) for name, value in (item.split("=") for item in settings)})
    lines = [header]
    for ply, move in enumerate(["-", *moves]):
        if ply:
            position = game.play(position, move)
        score = " ".join(f"{side} {points}" for side, points in game.score(position).items())
        lines.append(
            f"{ply} | {move} | {game.format(position)} | {score} | {len(game.legal_moves(position))}"
        )
    outcome = game.outcome(position)
    lines.append(f"{outcome.winner} {outcome.termination}" if outcome else "unfinished")
    return lines


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_playthrough(file):
    expected = file.read_text(encoding="utf-8").splitlines()
    moves = [line.split(" | ")[1] for line in expected[2:-1]]
    assert transcript(expected[0], moves) == expected
