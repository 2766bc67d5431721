"""Commands on the site: what is announced, who may register, and names."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.server.cli.shared import DataFolder, account_named, fail, on_database, print_json

if TYPE_CHECKING:
    from app.core.database.session import Database
    from app.people.mail.testing import MailTest

cli = typer.Typer()

Hours = Annotated[float, typer.Option(min=0.1, max=100_000, help="Hours until it ends.")]
_MAIL_WITHIN = 60  # seconds


@cli.command()
def announce(
    text: Annotated[str, typer.Argument(help="The text in English; it is shown on every page.")],
    de: Annotated[str, typer.Option(help="The text in German.")] = "",
    es: Annotated[str, typer.Option(help="The text in Spanish.")] = "",
    pl: Annotated[str, typer.Option(help="The text in Polish.")] = "",
    hours: Hours = 24,
    data: DataFolder = None,
) -> None:
    """Show a text on every page until it ends, in place of an earlier one."""
    from app.core.moments import utc_now
    from app.site.announcements import service

    texts, ends_at = {"en": text, "de": de, "es": es, "pl": pl}, utc_now() + timedelta(hours=hours)
    on_database(data, lambda database: service.announce(database, texts, ends_at))
    print_json({"announced": text, "ends_at": ends_at})


@cli.command("end-announcement")
def end_announcement(data: DataFolder = None) -> None:
    """Take back what is announced."""
    from app.site.announcements import service

    on_database(data, service.withdraw)
    print_json({"announced": None})


@cli.command()
def registration(
    mode: Annotated[
        str | None, typer.Argument(help="open, invitation or closed. Without it nothing changes.")
    ] = None,
    data: DataFolder = None,
) -> None:
    """Decide who may register, and print that with the invitations and the reserved names."""
    from app.site.accounts import registration as service

    async def decide(database: "Database") -> dict[str, Any]:
        if mode is not None:
            await service.set_mode(database, mode)
        async with database.reading_now() as session:
            return {
                "registration": await service.mode(session),
                "invitations": [
                    {"code": each.code, "used": each.used, "most": each.most, "ends_at": each.ends_at}
                    for each in await service.open_invitations(session)
                ],
                "reserved_names": await service.reserved(session),
            }

    print_json(on_database(data, decide))


@cli.command()
def invite(
    people: Annotated[int, typer.Option(min=1, max=10_000, help="How many may register.")] = 1,
    hours: Hours = 168,
    data: DataFolder = None,
) -> None:
    """Make an invitation, and print the path of its link."""
    from app.core.moments import utc_now
    from app.site.accounts import registration as service

    ends_at = utc_now() + timedelta(hours=hours)
    code = on_database(data, lambda database: service.invite(database, people, ends_at))
    print_json({"path": f"/register?invitation={code}", "people": people, "ends_at": ends_at})


@cli.command("end-invitation")
def end_invitation(
    code: Annotated[str, typer.Argument(help="Its link, or what that ends with.")], data: DataFolder = None
) -> None:
    """End an invitation. The accounts that were made with it stay."""
    from app.site.accounts import registration as service

    code = code.rpartition("invitation=")[2]
    if not on_database(data, lambda database: service.end_invitation(database, code)):
        fail(f"There is no invitation {code}. `gorrion registration` prints those that are open.")
    print_json({"ended": code})


@cli.command("reserve-name")
def reserve_name(
    name: Annotated[str, typer.Argument(help="The name. Those that look like it are reserved, too.")],
    data: DataFolder = None,
) -> None:
    """Keep a name from being registered. An account that already has it keeps it."""
    from app.site.accounts import registration as service

    on_database(data, lambda database: service.reserve(database, name))
    print_json({"reserved": name})


@cli.command("release-name")
def release_name(name: Annotated[str, typer.Argument(help="The name.")], data: DataFolder = None) -> None:
    """Release a reserved name: it can be registered again."""
    from app.site.accounts import registration as service

    if not on_database(data, lambda database: service.release(database, name)):
        fail(f"{name} is not reserved. `gorrion registration` prints the names that are.")
    print_json({"released": name})


@cli.command("test-mail")
def mail_test(
    username: Annotated[str, typer.Argument(help="The account whose own address gets it.")],
    data: DataFolder = None,
) -> None:
    """Send a mail through the queue of the running server, and print what became of it."""
    from app.people.mail.testing import MailOutcome, last_test, send_test

    async def send(database: "Database") -> "MailTest | None":
        async with database.reading_now() as session:
            account = await account_named(session, username)
        await send_test(database, account.id)
        for _second in range(_MAIL_WITHIN):
            await asyncio.sleep(1)
            async with database.reading_now() as session:
                test = await last_test(session, account.id)
            if test is not None and test.outcome is not MailOutcome.WAITING:
                break
        return test

    test = on_database(data, send)
    print_json({"username": username, "outcome": test.outcome if test else None})
    if test is None or test.outcome is not MailOutcome.SENT:
        raise typer.Exit(1)
