"""The command that judges all entries of Golden Nugget again."""

import asyncio
from typing import Annotated

import typer

from app.server.cli.shared import DataFolder, database_url, fail, read_settings

cli = typer.Typer()


@cli.command("retrace-entries")
def retrace_entries(
    after: Annotated[str | None, typer.Option(help="The id of the entry after which to go on.")] = None,
    data: DataFolder = None,
) -> None:
    """Find again where the boards of all Golden Nugget entries come from; the server may be running.

    Each entry that is done is printed, so that the command can go on after the last one if it was stopped.
    """
    with database_url(read_settings(), data) as url:
        asyncio.run(_retrace(url, after))


async def _retrace(url: str, after: str | None) -> None:
    from app.core.database.session import Database
    from app.core.errors import NotFoundError
    from app.nugget.judging import retrace

    database = await Database.open(url, pool_size=1)
    try:
        while traced := await retrace(database, after):
            after = traced[-1]
            print("\n".join(traced), flush=True)
    except NotFoundError:
        fail(f"There is no entry {after}. Give the id of the last one that was printed.")
    finally:
        await database.close()
