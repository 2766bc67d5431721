"""Commands on the servers whose ledgers this one is a witness of."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.server.cli.shared import DataFolder, on_database, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.database.session import Database
    from app.nugget.witness.queries import WitnessedServerShown

cli = typer.Typer()
witness = typer.Typer(help="Be a witness of other servers: store the signed heads of their ledgers.")
cli.add_typer(witness, name="witness")

Url = Annotated[str, typer.Argument(help="The address of a Gorrion server, such as https://play.example.")]


@witness.command()
def add(url: Url, data: DataFolder = None) -> None:
    """Store the heads of a server's ledger from now on. It is asked at once, then every ten minutes."""
    from app.nugget.witness import service

    problem = on_database(data, lambda database: service.add(database, url))
    print_json({"added": url, "problem": problem})


@witness.command()
def remove(url: Url, data: DataFolder = None) -> None:
    """Ask a server no more. What was seen of it stays."""
    from app.nugget.witness import service

    on_database(data, lambda database: service.remove(database, url))
    print_json({"removed": url})


@witness.command("list")
def list_servers(data: DataFolder = None) -> None:
    """Print the servers, and how many heads and conflicts were seen of each."""
    from app.nugget.witness.service import Witness

    async def servers(database: "Database") -> "Sequence[WitnessedServerShown]":
        return await Witness(database).servers()

    print_json(on_database(data, servers))
