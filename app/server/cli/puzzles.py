"""Commands that make and verify puzzles, without a server or a database."""

import itertools
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from app.server.cli.shared import fail, require
from engine.puzzles.rules import RULES

if TYPE_CHECKING:
    from engine.puzzles.puzzle import Puzzle

cli = typer.Typer()
puzzles = typer.Typer(help="Make puzzles, and verify those that are shipped.")
cli.add_typer(puzzles, name="puzzles")

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A game with puzzles, such as jadejack.")]


@puzzles.command()
def make(
    game: GameKey,
    count: Annotated[int, typer.Option(min=1, help="How many puzzles to find.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The first game; the same seed finds the same.")] = 1,
) -> None:
    """Find puzzles in games of the computer against itself, and print one as JSON on each line."""
    _check(game)
    from engine.puzzles.shipped import to_json
    from engine.search.puzzles.finder import puzzles_in

    began, positions = time.monotonic(), set[str]()
    for games in itertools.count(1):
        for puzzle in puzzles_in(game, seed + games - 1):
            if puzzle.position not in positions and len(positions) < count:
                positions.add(puzzle.position)
                print(to_json(puzzle), flush=True)
        if len(positions) == count:
            break
    seconds = time.monotonic() - began
    figures = f"{count} puzzles in {games} games ({1000 * count / games:.0f} in 1,000), {seconds:.0f} s"
    print(figures, file=sys.stderr)


@puzzles.command()
def verify(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only the puzzles of this game.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Only so many of each game, at random.")] = None,
) -> None:
    """Prove again that the solutions of the shipped puzzles are unique; exit with status 1 if one is not."""
    games = list(RULES) if game is None else [game]
    for each in games:
        _check(each)
    from engine.puzzles.shipped import shipped
    from engine.search.puzzles.finder import is_proven

    failed = 0
    for each in games:
        chosen = _sample(list(shipped(each)), sample)
        refuted = [puzzle for puzzle in chosen if not is_proven(puzzle)]
        for puzzle in refuted:
            print(f"{each} {puzzle.position}: {' '.join(puzzle.solution)} is not the only solution.")
        print(f"{each}: {len(chosen) - len(refuted)} of {len(chosen)} proven", file=sys.stderr, flush=True)
        failed += len(refuted)
    if failed:
        raise typer.Exit(1)


def _sample(shipped: list["Puzzle"], number: int | None) -> list["Puzzle"]:
    if number is None or number >= len(shipped):
        return shipped
    return Random().sample(shipped, number)  # noqa: S311 - nothing secret


def _check(game: str) -> None:
    if game not in RULES:
        fail(f"There are no puzzles of {game!r}; choose one of {', '.join(RULES)}.")
    require("computers", "run it where they are installed")
