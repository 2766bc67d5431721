"""Commands on the computer players: matches between them, and training."""

import dataclasses
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.server.cli.shared import fail, print_json, require
from app.server.operations.files import replacing
from engine.registry import FOR_TWO

cli = typer.Typer()


@cli.command("match")
def match_command(
    first: Annotated[
        str, typer.Argument(help="A level, perhaps with another skill, such as 8:budget=10000; or plain.")
    ],
    second: Annotated[str, typer.Argument(help="Its opponent.")],
    game: Annotated[str, typer.Option(help="A game for two of the registry.")] = "jadejack",
    size: Annotated[int | None, typer.Option(help="Board size; the game's default if unset.")] = None,
    games: Annotated[int, typer.Option(min=2, help="How many, at most; openings are played twice.")] = 200,
    seed: Annotated[int, typer.Option(help="Chooses the openings.")] = 1,
    opening: Annotated[int, typer.Option(min=0, help="Random plies at the beginning.")] = 4,
    between: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="Stop when it is clear which of two shares FIRST scores."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play at once.")] = 1,
) -> None:
    """Play a match between two programs, and print the points that FIRST won per game, as JSON."""
    if game not in FOR_TWO:
        fail(f"Matches are of games for two; choose one of {', '.join(FOR_TWO)}.")
    if between is not None and not 0 <= between[0] < between[1] <= 1:
        fail("The first of two shares is the smaller one, and both are from 0 to 1.")
    require("computers", "run it where they are installed")
    from engine.search.match import Match

    options = {} if size is None else {"size": size}
    match = Match(game, options, first, second, seed, opening, between)
    result = None
    try:
        for result in match.results(games, jobs):
            low, high = result.interval
            figures = f"{result.games} games: {result.points:.1%} ({low:.1%} to {high:.1%})"
            print(f"\r{figures}", end="", file=sys.stderr, flush=True)
    except ValueError as error:
        fail(str(error))
    finally:  # also if it is stopped
        if result is not None:
            print(file=sys.stderr)
            print_json({**dataclasses.asdict(match), **dataclasses.asdict(result)})


@cli.command("train")
def train_command(
    out: Annotated[Path, typer.Option(help="The file for the network, written after each generation.")],
    generations: Annotated[int, typer.Option(min=1, help="Each plays with the network before it.")] = 2,
    games: Annotated[int, typer.Option(min=10, help="Games of a generation.")] = 1_000,
    epochs: Annotated[int, typer.Option(min=1, help="How often each position is learned.")] = 25,
    seed: Annotated[int, typer.Option(min=0, help="The same seed trains the same network.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play at once.")] = 1,
) -> None:
    """Train the network of JadeJack with games of the computer against itself.

    Play it against the one in use with `gorrion match 8:network=FILE 8`.
    """
    require("computers", "run it where they are installed")
    from engine.search.jadejack.network import save
    from engine.search.jadejack.training import train

    terms = {"generations": generations, "games": games, "epochs": epochs, "seed": seed}
    networks = train(jobs=jobs, **terms)
    for _ in range(generations):
        with replacing(out) as opened:  # where it cannot be written, that is known before the games
            trained = next(networks)
            save(trained.network, opened)
        figures = {"error_without": round(trained.error_without, 3), "error": round(trained.error, 3)}
        print_json({"positions": trained.positions, **figures})
