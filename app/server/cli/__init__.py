"""The `gorrion` command: each module has the commands of one topic."""

import os
import signal
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from app.server.cli import (
    accounts,
    games,
    nugget,
    operations,
    programs,
    puzzles,
    server,
    site,
    solving,
    translations,
)
from app.server.cli.errors import Commands


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"gorrion {version('gorrion')}")
        raise typer.Exit


cli = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for topic in (
    server,
    operations,
    accounts,
    site,
    games,
    nugget,
    solving,
    programs,
    puzzles,
    translations,
):
    cli.add_typer(topic.cli)


@cli.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Run and look after a game server."""


def main() -> None:
    """Run the command. SIGTERM ends it by an exception, so that it stops the programs that it has started."""
    _open_closed_streams()
    os.umask(os.umask(0) & 0o077)  # whatever it hides from others, this user can use the files that are made
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    cli()


def _open_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed, which Python leaves as None.

    Otherwise `print` would write messages to standard output instead, and the sockets and files that are
    opened next would take the numbers of the streams.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode)  # noqa: SIM115 - it stays open until the end
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
