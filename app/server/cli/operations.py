"""Commands of operators: the status of the server, backups, and checks."""

import asyncio
import dataclasses
import os
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from app.server.cli import shared

if TYPE_CHECKING:
    from rich.table import Table

    from app.core.database.session import Database
    from app.core.settings import Settings
    from app.server.operations.findings import CheckFinding
    from app.server.operations.replays import Checked
    from app.server.operations.status import Status

cli = typer.Typer()

Processes = Annotated[
    int, typer.Option("--processes", min=1, max=64, help="Processes that replay games; one for each core.")
]
_CORES = os.cpu_count() or 1


@cli.command()
def status(
    once: Annotated[bool, typer.Option("--once", help="Print the status once, as JSON.")] = False,
    every: Annotated[float, typer.Option(min=0.5, max=86_400, help="Seconds between two updates.")] = 2,
    data: shared.DataFolder = None,
) -> None:
    """Show what the server is doing: processes, games, moves, connections, jobs, size of the database."""
    from rich.console import Console
    from rich.live import Live

    console = Console()
    settings = shared.read_settings()
    shared.require_valkey(settings)
    with shared.database_url(settings, data) as url:
        if once:
            shared.print_json(_status(url, settings))
            return
        if not console.is_terminal:  # a file or a pipe shows no updates
            console.print(_table(_status(url, settings)))
            return
        with Live(_table(_status(url, settings)), console=console) as live:
            try:
                while True:
                    time.sleep(every)
                    live.update(_table(_status(url, settings)))
            except KeyboardInterrupt:
                pass


@cli.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    data: shared.DataFolder = None,
) -> None:
    """Write a backup of the whole database, also while the server is running."""
    from app.server.operations.backup import back_up
    from app.server.operations.history import BACKUP

    started = time.monotonic()
    with shared.database_url(shared.read_settings(), data) as url:
        size = back_up(url, file)
        _note(url, BACKUP, file, size)
    shared.print_json({"file": str(file), "bytes": size, "seconds": round(time.monotonic() - started, 1)})


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `gorrion backup` wrote.")],
    data: shared.DataFolder = None,
    processes: Processes = _CORES,
) -> None:
    """Restore a backup into an empty database, migrate it, and check that every game replays."""
    from app.core.database.migrate import upgrade
    from app.server.operations import backup

    settings = shared.read_settings()
    backup.check_file(file)
    with shared.made_database_url(settings, data) as url:
        backup.restore(url, file)
        print(f"Restored {file}; checking its games.", file=sys.stderr, flush=True)
        upgrade(url)
        _check(url, processes)


@cli.command("check-backup")
def check_backup(
    file: Annotated[Path, typer.Argument(help="A file that `gorrion backup` wrote.")],
    data: shared.DataFolder = None,
    processes: Processes = _CORES,
) -> None:
    """Restore a backup into a database that is deleted afterwards, check its games, and note that."""
    from app.core.database.embedded import EmbeddedPostgres
    from app.core.database.migrate import upgrade
    from app.server.operations import backup
    from app.server.operations.history import RESTORE_TEST

    backup.check_file(file)
    shared.require("embedded", "restore the backup into a new database of your own")
    with shared.database_url(shared.read_settings(), data) as own, TemporaryDirectory() as folder:
        trial = EmbeddedPostgres(Path(folder))
        try:
            url = trial.start()
            backup.restore(url, file)
            upgrade(url)
            _check(url, processes)
        finally:
            trial.stop()
        _note(own, RESTORE_TEST, file, file.stat().st_size)


def _note(url: str, kind: str, file: Path, size: int) -> None:
    """Note what has succeeded, which it has also where nothing can be noted: on a standby or a full disk."""
    from app.core.database.session import DATABASE_ERRORS
    from app.server.operations.history import note

    try:
        asyncio.run(note(url, kind, file, size))
    except DATABASE_ERRORS as error:
        print(f"{file} could not be noted in the database: {error}", file=sys.stderr)


@cli.command()
def schedules(data: shared.DataFolder = None) -> None:
    """Print the schedules as JSON: when each ran last, and when it runs next."""
    from app.server.operations.schedules import schedules

    settings = shared.read_settings()
    for schedule in shared.on_database(data, lambda database: schedules(database, settings)):
        shared.print_json(schedule)


@cli.command("run-schedule")
def run_schedule(
    name: Annotated[str, typer.Argument(help="A name that `gorrion schedules` prints.")],
    data: shared.DataFolder = None,
) -> None:
    """Make the running server run a schedule now."""
    from app.server.operations.schedules import run_now

    settings = shared.read_settings()
    shared.on_database(data, lambda database: run_now(database, settings, name))
    shared.print_json({"asked_for": name})


@cli.command()
def dump(
    folder: Annotated[Path, typer.Argument(help="The folder to write to; it must be new or empty.")],
    data: shared.DataFolder = None,
) -> None:
    """Write what is public into files for everybody: games, scores, records, the ledger and puzzles."""
    from app.site.dumps.service import dump_to

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            shared.fail(f"{folder} is not empty. Name a new folder.")
    except OSError as error:
        shared.fail(f"{folder} cannot be written: {error.strerror}.")
    told = shared.on_database(data, lambda database: dump_to(database, folder))
    shared.print_json(
        {"folder": str(folder), "rows": {each["name"]: each["rows"] for each in told["sheets"]}}
    )


@cli.command()
def load(
    folder: Annotated[Path, typer.Argument(help="A folder that `gorrion dump` wrote, or a nightly dump.")],
    data: shared.DataFolder = None,
) -> None:
    """Load a dump into an empty database, migrate it, and compute its ratings and achievements."""
    from app.core.database.migrate import upgrade
    from app.play.ratings.rerating import rerate_all
    from app.server.operations.backup import check_unused
    from app.site.awards.service import recompute
    from app.site.dumps.loading import check_files
    from app.site.dumps.loading import load as load_dump
    from engine.registry import FOR_TWO

    async def fill(database: "Database") -> dict[str, int]:
        rows = await load_dump(database, folder)
        for game in FOR_TWO:
            await rerate_all(database, game)
        await recompute(database)
        return rows

    settings = shared.read_settings()
    check_files(folder)
    with shared.made_database_url(settings, data) as url:
        asyncio.run(check_unused(url))
        upgrade(url)
        shared.print_json({"folder": str(folder), "rows": shared.on_database_at(url, fill)})


@cli.command("check-games")
def check_games(data: shared.DataFolder = None, processes: Processes = _CORES) -> None:
    """Check that the moves of every game lead to its stored position, also while the server is running."""
    with shared.database_url(shared.read_settings(), data) as url:
        _check(url, processes)


@cli.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    port: shared.Port = 8000,
    data: shared.DataFolder = None,
) -> None:
    """Check settings, database, clocks, disk and ports, and say what to do. Exits with 1 if a check fails."""
    from app.server.operations.doctor import examine_machine
    from app.server.operations.findings import Level

    settings = shared.read_settings()
    findings = asyncio.run(examine_machine(settings, data or settings.data, port))
    findings += _examine_database(settings, data)
    if as_json:
        shared.print_json(findings)
    else:
        for finding in findings:
            print(f"{finding.level:<5} {finding.check}: {finding.detail}")
            if finding.advice:
                print(f"      {finding.advice}")
    if any(finding.level is Level.FAIL for finding in findings):
        raise typer.Exit(1)


def _examine_database(settings: "Settings", data: Path | None) -> "list[CheckFinding]":
    from app.core.errors import OperatorError
    from app.server.operations.doctor import examine_database
    from app.server.operations.findings import CheckFinding, Level

    try:
        if not shared.has_database(settings, data):
            detail = "none yet: `gorrion serve` will create the embedded PostgreSQL"
            return [CheckFinding("database", Level.OK, detail)]
        with shared.database_url(settings, data) as url:
            return asyncio.run(examine_database(settings, url))
    except (OperatorError, OSError) as error:
        return [CheckFinding("database", Level.FAIL, "it cannot be started", str(error))]


def _check(url: str, processes: int) -> None:
    """Print what replaying all games finds; exit with status 1 if any game is wrong."""
    from app.server.operations import replays

    def show(checked: "Checked") -> None:
        print(f"\r{checked.games} games", end="", file=sys.stderr, flush=True)

    async def check() -> replays.Checked:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await replays.check_games(url, processes, show)

    started = time.monotonic()
    # An exception of SIGTERM's handler in the middle of a submission would make the pool wait for ever.
    handler = signal.getsignal(signal.SIGTERM)
    try:
        checked = asyncio.run(check())
    except asyncio.CancelledError:
        sys.exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, handler)
    print(file=sys.stderr)
    seconds = round(time.monotonic() - started, 1)
    shared.print_json({**dataclasses.asdict(checked), "seconds": seconds})
    if checked.wrong:
        raise typer.Exit(1)


def _status(url: str, settings: "Settings") -> "Status":
    from app.server.operations.status import read_status

    return asyncio.run(read_status(url, settings.valkey_url))


def _table(status: "Status") -> "Table":
    from rich.table import Table

    table = Table(show_header=False, title="Gorrion")
    for process in status.processes:
        detail = f"{process.pid} on {process.host}, {process.connections} connections to the database"
        table.add_row(process.role, detail)
    if not status.processes:
        table.add_row("processes", "none")
    table.add_row("last heartbeat", f"{status.heartbeat_seconds_ago:.1f} s ago")
    table.add_row("games under way", f"{status.games_under_way:,}")
    table.add_row("moves in the last minute", f"{status.moves_in_last_minute:,}")
    if status.connections_to_the_site is None:
        table.add_row("Valkey", "does not answer, so open pages are not known")
    else:
        table.add_row("open pages and programs", f"{status.connections_to_the_site:,}")
        table.add_row("open games", f"{status.connections_to_games:,}")
    for jobs in status.jobs:
        table.add_row(f"jobs: {jobs.kind}", f"{jobs.waiting:,} waiting, {jobs.running:,} running")
    if status.valkey is not None:
        detail = f"{status.valkey.version}, {status.valkey.processes} processes"
        table.add_row("Valkey", f"{detail}, {status.valkey.memory_bytes / 1024**2:,.1f} MiB")
    table.add_row("database", f"{status.database_bytes / 1024**2:,.1f} MiB")
    return table
