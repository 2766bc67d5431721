"""What several commands need: options, output, and the database."""

import contextlib
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.core.database.session import Database
    from app.core.settings import Settings
    from app.people.identity.models import Account

T = TypeVar("T")

Port = Annotated[int, typer.Option(min=1, max=65_535, help="The port that the server listens on.")]
DataFolder = Annotated[Path | None, typer.Option("--data", help="Folder of the embedded PostgreSQL.")]


def fail(message: str) -> NoReturn:
    """Print a message to standard error and exit with status 1."""
    print(message, file=sys.stderr)
    raise typer.Exit(1)


def read_settings() -> "Settings":
    """Return the settings; fail with one line for each that is invalid."""
    from pydantic import ValidationError

    from app.core.settings import Settings
    from app.server.cli.invalid_settings import explain

    try:
        return Settings()
    except ValidationError as error:
        fail("\n".join(explain(error)))


def print_json(value: Any) -> None:
    """Print a value as JSON to standard output."""
    from app.core import json

    print(json.encode(value).decode())


def read_file(file: Path, most: int = -1) -> bytes:
    """Return at most `most` bytes of a file, all if it is -1. Fails if the file cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")


@contextlib.contextmanager
def result_in(file: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield what writes the result of long work to a file, to standard output if that is None.

    Fails at once if the file cannot be written. If that is so at the end only, the result is on standard
    output instead.
    """
    from app.server.operations.files import replacing

    if file is None:
        yield lambda text: print(text, end="")
        return
    result = ""
    try:
        with replacing(file) as opened:

            def write(text: str) -> None:
                nonlocal result
                result = text
                opened.write(text.encode())

            yield write
    except OSError as error:
        if not result:
            raise
        print(result, end="")
        fail(f"{file} cannot be written: {error.strerror}. The result is on standard output instead.")


@contextlib.contextmanager
def printed_list(name: str) -> Iterator[Callable[[Any], None]]:
    """Yield what prints a member of a list, which is printed as the only member of a JSON object.

    Each is printed at once, so that what was found before the command is stopped is not lost.
    """
    from app.core import json

    before = f'{{"{name}":['
    try:

        def add(value: Any) -> None:
            nonlocal before
            print(before + json.encode(value).decode(), end="", flush=True)
            before = ","

        yield add
    finally:
        print("]}" if before == "," else f"{before}]}}")


def require(extra: str, otherwise: str) -> None:
    """Raise OperatorError unless the packages of an extra are installed."""
    from app.core.errors import OperatorError
    from app.server.operations.extras import how_to_install, is_installed

    if not is_installed(extra):
        raise OperatorError(
            f"This needs the extra `{extra}`: install it {how_to_install(extra)}; or {otherwise}."
        )


def compile_into(data: Path) -> None:
    """Keep what is compiled of the searches with the data if the folder of the packages is read-only."""
    from app.core.settings import ROOT

    if not os.access(ROOT / "engine", os.W_OK):
        os.environ.setdefault("NUMBA_CACHE_DIR", str(data.resolve() / "compiled"))


def require_valkey(settings: "Settings") -> None:
    """Raise OperatorError if the settings name a Valkey, and its extra is not installed."""
    if settings.valkey_url is not None:
        require("valkey", "unset GORRION_VALKEY_URL")


def has_database(settings: "Settings", data: Path | None) -> bool:
    """Return whether the settings name a database, or the embedded PostgreSQL was made in its folder."""
    cluster = (data or settings.data) / "postgres"
    return settings.own_database_url is not None or (cluster / "PG_VERSION").exists()


@contextlib.contextmanager
def database_url(settings: "Settings", data: Path | None) -> Iterator[str]:
    """Yield the URL of the database without a pooler; the embedded PostgreSQL runs if none is set.

    Fail if that was never made: in a folder that was mistyped, an empty one would look like an answer.
    """
    if not has_database(settings, data):
        fail(
            f"There is no database in {(data or settings.data).resolve()}. Name its folder with --data or"
            " GORRION_DATA, or set GORRION_DATABASE_URL; `gorrion serve` makes a new one."
        )
    with made_database_url(settings, data) as url:
        yield url


@contextlib.contextmanager
def made_database_url(settings: "Settings", data: Path | None) -> Iterator[str]:
    """Yield the URL of the database as `database_url` does, of a new embedded PostgreSQL if there is none."""
    if settings.own_database_url is not None:
        yield settings.own_database_url
        return
    require("embedded", "set GORRION_DATABASE_URL")
    from app.core.database.embedded import EmbeddedPostgres

    folder = data or settings.data
    postgres = EmbeddedPostgres(folder)
    if not postgres.is_running():
        started = f"Starting the embedded PostgreSQL; its data stays in {folder.resolve()}"
        print(started, file=sys.stderr, flush=True)
    try:
        url = postgres.start()
        postgres.watch()
        yield url
    finally:
        postgres.stop()


def on_database(data: Path | None, work: Callable[["Database"], Awaitable[T]]) -> T:
    """Return what a function does with the database that `database_url` names; logs go to standard error."""
    from app.core.web.logs import configure_logs

    settings = read_settings()
    configure_logs(settings.log_level)
    with database_url(settings, data) as url:
        return on_database_at(url, work)


def on_database_at(url: str, work: Callable[["Database"], Awaitable[T]]) -> T:
    """Return what a function does with the database at `url`."""
    import asyncio

    from app.core.database.session import Database

    async def run() -> T:
        async with Database.opened(url, pool_size=2) as database:
            return await work(database)

    return asyncio.run(run())


async def account_named(session: "AsyncSession", username: str) -> "Account":
    """Return the account that has a name, or had it until lately; fail if there is none."""
    from app.people.identity.names import find

    account = await find(session, username)
    if account is None:
        fail(f"No account has the name {username}.")
    return account
