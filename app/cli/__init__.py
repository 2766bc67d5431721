"""The `gorrion` command: each module has the commands of one topic."""

import signal
import sys

import typer

from app.cli import accounts, games, nugget, operations, puzzles, server, statistics, translations
from app.cli.errors import Commands

cli = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for topic in (server, operations, accounts, games, nugget, puzzles, statistics, translations):
    cli.add_typer(topic.cli)


def main() -> None:
    """Run the command. SIGTERM ends it by an exception, so that it stops the programs that it has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    cli()
