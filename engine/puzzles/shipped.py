"""The puzzles that come with the program: a file for each game, with a puzzle as JSON on each line.

`gorrion puzzles make` writes such files.
"""

import json
from collections.abc import Iterator
from importlib.resources import files

from engine.puzzles.puzzle import Puzzle
from engine.puzzles.themes import Theme


def shipped(game: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, in the order in which they were found."""
    text = files("engine.puzzles").joinpath("library", f"{game}.jsonl").read_text("utf-8")
    return (from_json(game, line) for line in text.splitlines())


def to_json(puzzle: Puzzle) -> str:
    """Return a puzzle as a line that `from_json` reads; the game is that of the file."""
    values = {
        "position": puzzle.position,
        "solution": puzzle.solution,
        "themes": puzzle.themes,
        "rating": puzzle.rating,
    }
    return json.dumps(values, separators=(",", ":"))


def from_json(game: str, line: str) -> Puzzle:
    """Return the puzzle of a line."""
    values = json.loads(line)
    themes = tuple(map(Theme, values["themes"]))
    return Puzzle(game, values["position"], tuple(values["solution"]), themes, values["rating"])
