"""Commands on accounts: their rights, and the audit log."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from app.server.cli.shared import DataFolder, account_named, on_database, print_json

if TYPE_CHECKING:
    from app.core.database.session import Database
    from app.server.operations.audit import AuditLine

cli = typer.Typer()


@cli.command()
def grant(
    username: Annotated[str, typer.Argument(help="The account to give the right to.")],
    right: Annotated[
        str,
        typer.Argument(
            help="administrator: looks after the server. moderator: acts on reports. "
            "organiser: makes competitions, and rated or large tournaments."
        ),
    ] = "organiser",
    data: DataFolder = None,
) -> None:
    """Grant a right to an account, and print all its rights."""
    from app.site.accounts import service

    rights = on_database(data, lambda database: service.grant(database, username, right))
    print_json({"username": username, "rights": rights})


@cli.command()
def revoke(
    username: Annotated[str, typer.Argument(help="The account to take the right from.")],
    right: Annotated[str, typer.Argument(help="administrator, moderator or organiser.")],
    data: DataFolder = None,
) -> None:
    """Take a right from an account, and print all that it keeps."""
    from app.site.accounts import service

    rights = on_database(data, lambda database: service.revoke(database, username, right))
    print_json({"username": username, "rights": rights})


@cli.command()
def audit(
    username: Annotated[str | None, typer.Argument(help="Only what concerns this account.")] = None,
    last: Annotated[int, typer.Option(min=1, max=100_000, help="How many lines.")] = 100,
    data: DataFolder = None,
) -> None:
    """Print the last lines of the audit log as JSON, the newest first.

    They are about log-ins, failures, keys and rights, and what moderators did.
    """
    from app.server.operations.audit import last_lines

    async def lines(database: "Database") -> Sequence["AuditLine"]:
        async with database.reading_now() as session:
            account_id = None if username is None else (await account_named(session, username)).id
            return await last_lines(session, last, account_id)

    for line in on_database(data, lines):
        print_json(line)
