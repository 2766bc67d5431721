"""Commands on Golden Nugget: bounds, its files, judging its entries again, and being a witness of others."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.server.cli.shared import (
    DataFolder,
    fail,
    on_database,
    print_json,
    read_file,
    require,
    result_in,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.database.session import Database
    from app.nugget.witness.queries import WitnessedServerShown
    from engine.golden_nugget import bounds
    from engine.golden_nugget.audit import Audit
    from engine.golden_nugget.entry import Verdict

cli = typer.Typer()
witness = typer.Typer(help="Be a witness of other servers: store the signed heads of their ledgers.")
cli.add_typer(witness, name="witness")


def _hash(text: str) -> str:
    """Return a hash. Raise BadParameter for a text that is none, so that it is not looked for."""
    from engine.golden_nugget.sealing import is_hash

    if not is_hash(text):
        raise typer.BadParameter(f"{text!r} is not a hash: 64 digits from 0 to 9 and a to f.")
    return text


Receipts = Annotated[
    list[str] | None, typer.Option(parser=_hash, help="The hash of a link that must be there.")
]


@cli.command()
def verify(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="golden_nugget, the only game with record files.")
    ],
    file: Annotated[Path, typer.Argument(help="A record file, or the certificate of a lower bound.")],
) -> None:
    """Replay a record file and print every problem in it, or check a certificate of `gorrion bound`."""
    from engine.golden_nugget import bounds
    from engine.golden_nugget.entry import verify_file
    from engine.golden_nugget.record import MAX_BYTES

    if game != "golden_nugget":
        fail(f"There are no records of {game!r} to verify; choose golden_nugget.")
    data = read_file(file, bounds.MAX_BYTES + 1)
    if not data.startswith(b"{"):  # which no record begins with
        _report(verify_file(data[: MAX_BYTES + 1]))
        return
    require("computers", "check the certificate where it is installed")
    from engine.search.nugget.exhaustion import exhaust

    _report(bounds.verify(data, exhaust))


@cli.command()
def bound(
    position: Annotated[str | None, typer.Argument(help="A board, A:1,2,3 and so on.")] = None,
    moves: Annotated[
        int | None,
        typer.Option(min=0, max=99, help="The bound to prove; by default what needs no search."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the certificate.")] = None,
) -> None:
    """Prove that board 1, or another one, has no solution in fewer than so many moves.

    The certificate is for `gorrion verify`. Each move more takes several times as long.
    """
    require("bounds", "run it where it is installed")
    from engine.golden_nugget.board import START, parse
    from engine.golden_nugget.bounds import to_text
    from engine.search.nugget.bounds import NotProvenError, prove

    try:
        board = START if position is None else parse(position)
        with result_in(out) as write:
            write(to_text(prove(board, moves)))
    except ValueError as error:
        fail(str(error))
    except NotProvenError:
        fail("This could not be proven; it may be true or not. Try a smaller number.")


@cli.command()
def seal(
    file: Annotated[Path, typer.Argument(help="A record file that is to stay secret for now.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Where to write the sealed file; by default beside it, as NAME.sealed."),
    ] = None,
) -> None:
    """Write a record file with a salt, and print the hash to commit to it with.

    Keep the sealed file as it is, byte for byte: revealing it is the only way to make it an entry.
    """
    import secrets

    from app.server.operations import files
    from engine.golden_nugget import sealing
    from engine.golden_nugget.entry import verify_file
    from engine.golden_nugget.record import MAX_BYTES

    sealed = sealing.salted(read_file(file, MAX_BYTES + 1), secrets.token_bytes(sealing.SALT_BYTES))
    verdict = verify_file(sealed)
    if not verdict.valid:
        _report(verdict)
    out = out or file.with_name(f"{file.name}.sealed")
    try:
        with files.new(out) as opened:
            opened.write(sealed)
    except FileExistsError:
        fail(f"{out} exists, and may be a file that you have committed to. Name another one with --out.")
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}.")
    print_json({"file": str(out), "sha256": sealing.hash_of(sealed)})


@cli.command("verify-ledger")
def verify_ledger(
    file: Annotated[Path, typer.Argument(help="An exported ledger of Golden Nugget.")],
    record: Annotated[
        list[Path] | None, typer.Option(help="A record that must have a receipt, or a commitment.")
    ] = None,
    receipt: Receipts = None,
) -> None:
    """Check an exported ledger and print every problem in it."""
    from engine.golden_nugget.audit import audit
    from engine.golden_nugget.record import MAX_BYTES

    try:
        text = read_file(file).decode()
    except UnicodeDecodeError:
        fail(f"{file} is not UTF-8 text.")
    records = [(str(path), read_file(path, MAX_BYTES + 1)) for path in record or []]
    _report(audit(text, records, receipt or []))


@cli.command("audit-ledger")
def audit_ledger(
    url: Annotated[
        str, typer.Argument(help="The address of a Gorrion server, such as https://play.example.")
    ],
    head: Annotated[
        list[Path] | None, typer.Option(help="A signed head that was kept; its ledger must still be there.")
    ] = None,
    receipt: Receipts = None,
    witness: Annotated[
        list[str] | None, typer.Option(help="The address of a server that has stored its heads.")
    ] = None,
) -> None:
    """Check the ledger of any server from outside, and print every problem.

    The links, the signature of its head, that the ranked entries have receipts and the moves that these are
    for, and that revealed files have the hashes that were committed to. Heads that you or a witness have kept
    tell whether the ledger was rewritten.
    """
    import asyncio

    from app.core import json
    from app.nugget.heads.auditing import audit_site
    from app.nugget.heads.fetching import SiteError
    from app.nugget.heads.published import fetch

    kept = []
    for file in head or []:
        try:
            kept.append(json.decode(read_file(file)))
        except ValueError:
            fail(f"{file} is not JSON.")
    try:
        published = asyncio.run(fetch(url, witness or []))
    except SiteError as error:
        fail(f"{url} cannot be audited. {error}")
    _report(audit_site(published, kept, receipt or []))


def _report(verdict: "Verdict | Audit | bounds.Verdict") -> None:
    """Print a verdict; exit with status 1 if it lists problems."""
    print_json(verdict.as_json())
    if not verdict.valid:
        raise typer.Exit(1)


@cli.command("retrace-entries")
def retrace_entries(
    after: Annotated[str | None, typer.Option(help="The id of the entry after which to go on.")] = None,
    data: DataFolder = None,
) -> None:
    """Find again where the boards of all Golden Nugget entries come from; the server may be running.

    Each entry that is done is printed, so that the command can go on after the last one if it was stopped.
    """
    from app.core.errors import NotFoundError
    from app.nugget.judging import retrace

    async def print_retraced(database: "Database") -> None:
        last = after
        while traced := await retrace(database, last):
            last = traced[-1]
            print("\n".join(traced), flush=True)

    try:
        on_database(data, print_retraced)
    except NotFoundError:
        fail(f"There is no entry {after}. Give the id of the last one that was printed.")


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
