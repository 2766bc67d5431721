"""Commands that run the server's processes and migrate its database."""

import asyncio
import os
import signal
import sys
import threading
import time
from functools import partial
from typing import Annotated

import typer

from app.core.own_machine import ask
from app.server.cli import shared

_LOOK_EVERY = 0.1  # seconds

cli = typer.Typer()


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: shared.Port = 8000,
    data: shared.DataFolder = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    computers: Annotated[int, typer.Option(min=0, max=64, help="Processes that play and solve.")] = 1,
) -> None:
    """Run the whole server: PostgreSQL (unless GORRION_DATABASE_URL is set), migrations, web, computers."""
    from app.core import metrics, shutdown
    from app.core.database.session import patiently
    from app.core.database.upgrading import upgrade_patiently
    from app.core.recurring_arenas import usable
    from app.core.web.logs import configure_logs
    from app.server import serve as server
    from app.server.serve import running_workers

    if computers:
        shared.require("computers", "run `gorrion serve --computers 0`")

    def end(*_: object) -> None:
        shutdown.begin(shutdown.SERVER_WITHIN)
        sys.exit(0)  # leaving by an exception stops PostgreSQL, too

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    if data is not None:
        os.environ["GORRION_DATA"] = str(data)  # for the processes that it starts, and their pages
    settings = shared.read_settings()
    shared.require_valkey(settings)
    for problem in usable(settings.recurring_arenas)[1]:
        print(f"GORRION_RECURRING_ARENAS: {problem}", file=sys.stderr)
    configure_logs(settings.log_level)
    shared.compile_into(settings.data)
    bound = server.bind(host, port)
    metrics.check_address(settings.metrics_host, settings.metrics_port)
    if workers + computers > 1:
        os.environ["GORRION_BUS"] = "postgres"
    with shared.made_database_url(settings, data) as url:
        if settings.database_url is None:
            os.environ["GORRION_DATABASE_URL"] = url
        asyncio.run(patiently(partial(_check_database, url)))
        # First the workers: they take longer to start than the migrations take to run.
        with running_workers(computers) as stop_workers:
            upgrade_patiently(url)
            _announce(host, port)
            if not server.run(shared.read_settings(), bound, workers, stop_workers):
                raise typer.Exit(1)


@cli.command()
def worker(
    until_input_ends: Annotated[bool, typer.Option("--until-input-ends", hidden=True)] = False,
    heartbeats_to: Annotated[int | None, typer.Option("--heartbeats-to", hidden=True)] = None,
) -> None:
    """Run a worker: it plays for the computer players, gives hints, and evaluates positions.

    Run any number of workers, on any machine, beside `gorrion serve --computers 0` with the same
    GORRION_DATABASE_URL, and GORRION_BUS=postgres or the same GORRION_VALKEY_URL.
    """
    from app.core import metrics
    from app.core.importing import without_collections

    shared.require("computers", "run the worker where it is installed")
    settings = shared.read_settings()
    shared.require_valkey(settings)
    if settings.database_url is None:
        shared.fail("Set GORRION_DATABASE_URL; `gorrion serve` runs its own worker.")
    if not until_input_ends:  # the server has checked it
        metrics.check_address(settings.metrics_host, settings.metrics_port)
    shared.compile_into(settings.data)
    with without_collections():
        from app.server.worker import run

    # It has started no programs, and an exception would wait for the searches that are being compiled.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    asyncio.run(run(settings, until_input_ends=until_input_ends, heartbeats_to=heartbeats_to))


@cli.command()
def migrate() -> None:
    """Apply the migrations that the database of GORRION_DATABASE_URL lacks."""
    from app.core.database.migrate import upgrade

    url = shared.read_settings().own_database_url
    if url is None:
        shared.fail("Set GORRION_DATABASE_URL to the database to migrate; `gorrion serve` migrates its own.")
    asyncio.run(_check_database(url))
    upgrade(url)


async def _check_database(url: str) -> None:
    """Raise an error unless the database can be reached and does not lose committed transactions."""
    from app.core.database.session import Database

    async with Database.opened(url, pool_size=1):
        pass


def url_of(host: str, port: int) -> str:
    """Return the URL by which the site is opened if it listens on an address or a name."""
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _announce(host: str, port: int) -> None:
    """Print the site's URL as soon as it answers."""
    url = url_of(host, port)

    def wait() -> None:
        while True:
            try:
                ask(f"{url}/health/ready", within=2)
            except OSError:
                time.sleep(_LOOK_EVERY)
            else:
                print(f"Gorrion is ready: {url}", flush=True)
                return

    threading.Thread(target=wait, daemon=True).start()
