"""Commands on accounts: their rights, and the audit log."""

from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.server.cli.shared import DataFolder, database_url, print_json, read_settings

if TYPE_CHECKING:
    from app.people.identity.models import SecurityEvent
    from app.site.moderation.queries import LoggedAction

cli = typer.Typer()


@cli.command()
def grant(
    username: Annotated[str, typer.Argument(help="The account to give the right to.")],
    right: Annotated[
        str, typer.Argument(help="moderator: acts on reports. organiser: creates competitions.")
    ] = "organiser",
    data: DataFolder = None,
) -> None:
    """Grant a right to an account, and print all its rights."""
    import asyncio

    from app.core.database.session import Database
    from app.core.web.logs import configure_logs
    from app.site.accounts import service

    async def grant_right(url: str) -> list[str]:
        database = await Database.open(url, pool_size=1)
        try:
            return await service.grant(database, username, right)
        finally:
            await database.close()

    settings = read_settings()
    configure_logs(settings.log_level)
    with database_url(settings, data) as url:
        print_json({"username": username, "rights": asyncio.run(grant_right(url))})


@cli.command()
def audit(
    username: Annotated[str | None, typer.Argument(help="Only what concerns this account.")] = None,
    last: Annotated[int, typer.Option(min=1, max=100_000, help="How many lines.")] = 100,
    data: DataFolder = None,
) -> None:
    """Print the last lines of the audit log as JSON, the newest first.

    They are about log-ins, failures, keys and rights, and what moderators did.
    """
    import asyncio

    from app.core.database.session import Database
    from app.core.errors import OperatorError
    from app.people.identity.audit import last_events
    from app.people.identity.names import find
    from app.site.moderation.queries import last_actions

    async def print_events(url: str) -> None:
        database = await Database.open(url, pool_size=1)
        try:
            async with database.reading_now() as session:
                if username is not None and await find(session, username) is None:
                    raise OperatorError(f"No account has the name {username}.")
                events = [_event(*row) for row in await last_events(session, last, username)]
                done = [_action(logged) for logged in await last_actions(session, last, username)]
        finally:
            await database.close()
        for line in sorted(events + done, key=itemgetter("at"), reverse=True)[:last]:
            print_json(line)

    with database_url(read_settings(), data) as url:
        asyncio.run(print_events(url))


def _event(event: "SecurityEvent", account: str | None) -> dict[str, Any]:
    return {
        "at": event.at,
        "action": event.action,
        "account": account,
        "detail": event.detail,
        "network": event.network,
        "browser": event.browser,
    }


def _action(logged: "LoggedAction") -> dict[str, Any]:
    action = logged.action
    return {
        "at": action.at,
        "action": f"moderation_{action.action}",
        "account": logged.username,
        "moderator": logged.moderator,
        "reason": action.reason,
        "details": action.details,
    }
