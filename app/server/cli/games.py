"""Commands on games: their rules, and what stored games prove."""

import dataclasses
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.server.cli.shared import (
    DataFolder,
    fail,
    on_database,
    print_json,
    printed_list,
    require,
)
from engine import squares
from engine.game import Game, MoveSyntaxError
from engine.perft import perft
from engine.registry import GAMES
from engine.replay import ReplayError, replay

if TYPE_CHECKING:
    from app.core.database.session import Database
    from engine.search.findings import Finding

cli = typer.Typer()

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A game of the registry, such as jadejack.")]
Size = Annotated[int | None, typer.Option(help="Board size; the game's default if unset.")]

_AT_ONCE = 2_000  # games


@cli.command("perft")
def perft_command(
    game: GameKey,
    depth: Annotated[int, typer.Option(min=0, max=12, help="Plies to look ahead.")],
    size: Size = None,
    position: Annotated[str | None, typer.Option(help="Start position; the game's own if unset.")] = None,
) -> None:
    """Print the number of move sequences of DEPTH plies."""
    rules = _rules(game)
    if position is not None and size is not None:
        fail("A position has its own size: give --position or --size, not both.")
    try:
        start = rules.parse(position) if position is not None else rules.initial(_options(size))
    except (MoveSyntaxError, ValueError) as error:
        fail(str(error))
    print(perft(rules, start, depth))


@cli.command("replay")
def replay_command(game: GameKey, size: Size = None) -> None:
    """Replay moves from standard input, separated by white space, and print the final position."""
    rules = _rules(game)
    try:
        end = replay(rules, _options(size), sys.stdin.read().split())
    except ReplayError as error:
        fail(str(error))
    except UnicodeDecodeError:
        fail("The moves are not UTF-8 text.")
    except ValueError as error:
        fail(str(error))
    print_json(dataclasses.asdict(end))


@cli.command()
def records(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this number game.")] = None,
    smallest: Annotated[int, typer.Option("--min-n", min=1, max=12, help="The smallest board.")] = 1,
    largest: Annotated[int, typer.Option("--max-n", min=1, max=12, help="The largest board, n by n.")] = 4,
    width: Annotated[
        int,
        typer.Option(
            min=1,
            max=10_000_000,
            help="Positions that the search keeps after each number, of up to 0.5 KB each: a wider search"
            " finds better games, and proves more, but takes longer.",
        ),
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, max=1_000_000, help="Random seed of the search.")] = 1,
) -> None:
    """Search for the best scores of the number games, and print them with games that reach them.

    Rounds for two are solved up to 5×5; `solve-round` solves larger ones.
    """
    require("computers", "run it where it is installed")
    from engine.search.findings import SMALLEST, findings

    if game is not None and game not in SMALLEST:
        fail(f"There is nothing to find in {game!r}; choose one of {', '.join(SMALLEST)}.")
    if smallest > largest:
        fail(f"There is no board from {smallest} to {largest}: --min-n is greater than --max-n.")
    games = list(SMALLEST) if game is None else [game]
    if largest < min(SMALLEST[each] for each in games):
        fail("There is nothing to find on these boards. Choose a greater --max-n.")
    with printed_list("records") as add:
        for finding in findings(games, range(smallest, largest + 1), width, seed):
            add(dataclasses.asdict(finding))
            print(_told(finding), file=sys.stderr, flush=True)


def _told(finding: "Finding") -> str:
    board = f"{finding.game} {finding.size}×{finding.size} for {finding.players}"
    tie_break = "" if finding.tie_break is None else f", {finding.tie_break} resets"
    proof = finding.tie_break_proof if finding.tie_break is not None else finding.proof
    return f"{board}: {finding.value}{tie_break} ({proof or 'not proved'})"


@cli.command("solve-round")
def solve_round(
    size: Annotated[int, typer.Option(min=1, help="The size of the board; 6 takes hours and 4 GB.")] = 5,
) -> None:
    """Find by how much the first side wins a round of Jumping Farther & Farther if both sides play best."""
    require("computers", "run it where it is installed")
    from engine.search.jumping.solved import Solver

    try:
        solver = Solver(size)
    except ValueError as error:
        fail(str(error))
    lead = 0
    for bounds in solver.bounds():
        print(
            f"{bounds.least} to {bounds.most} ({bounds.positions:,} positions)", file=sys.stderr, flush=True
        )
        lead = bounds.least
    names = squares.names(size)
    print_json({"size": size, "lead": lead, "cells": [names[cell] for cell in solver.best_play(lead)]})


@cli.command()
def achievements(data: DataFolder = None) -> None:
    """Find all achievements again in the stored games and entries, and print how many there are."""
    from app.site.awards.service import recompute

    print_json({"achievements": on_database(data, recompute)})


@cli.command("rerate")
def rerate_command(game: GameKey, data: DataFolder = None) -> None:
    """Compute all ratings at GAME again from its rated games, by the rules that hold today.

    Games go on meanwhile; those that end while the ratings are written wait for that. A worker tells the
    server, whose pages then show what games have changed.
    """
    from app.core.jobs.queue import Priority, Queue
    from app.core.realtime.bus import MemoryBus
    from app.core.realtime.hub import Hub
    from app.play.ratings.rerating import TELL_OF_RATINGS, rerate_all
    from engine.registry import FOR_TWO

    async def run(database: "Database") -> int:
        rated = await rerate_all(database, game)
        queue = Queue(database, MemoryBus(Hub()), Hub())
        key = f"{TELL_OF_RATINGS}:{game}"
        await queue.add(TELL_OF_RATINGS, {key: {"game": game}}, priority=Priority.SOON)
        return rated

    if game not in FOR_TWO:
        fail(f"Ratings are of games for two; choose one of {', '.join(FOR_TWO)}.")
    print_json({"game": game, "rated_games": on_database(data, run)})


def _rules(game: str) -> Game[Any]:
    if game not in GAMES:
        fail(f"There is no game called {game!r}; choose one of {', '.join(GAMES)}.")
    return GAMES[game]


def _options(size: int | None) -> dict[str, int]:
    return {} if size is None else {"size": size}


@cli.command()
def recount(data: DataFolder = None) -> None:
    """Count all games that are over again, for the explorer and the statistics; the server may be running."""
    print_json({"games": on_database(data, _recount)})


async def _recount(database: "Database") -> int:
    from app.learn.statistics.digest import count_boards, digest, forget

    await forget(database)
    counted = 0
    while games := await digest(database, _AT_ONCE):
        counted += games
        print(f"{counted} games", file=sys.stderr, flush=True)
    await count_boards(database)
    return counted
