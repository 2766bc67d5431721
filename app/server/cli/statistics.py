"""The command that counts all games again."""

import asyncio
import sys

import typer

from app.server.cli.shared import DataFolder, database_url, read_settings

cli = typer.Typer()

_AT_ONCE = 2_000  # games


@cli.command()
def recount(data: DataFolder = None) -> None:
    """Count all games that are over again, for the explorer and the statistics; the server may be running."""
    with database_url(read_settings(), data) as url:
        asyncio.run(_recount(url))


async def _recount(url: str) -> None:
    from app.core.database.session import Database
    from app.learn.statistics.digest import count_boards, digest, forget

    database = await Database.open(url, pool_size=2)
    try:
        await forget(database)
        counted = 0
        while games := await digest(database, _AT_ONCE):
            counted += games
            print(f"{counted} games", file=sys.stderr, flush=True)
        await count_boards(database)
    finally:
        await database.close()
