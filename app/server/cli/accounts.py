"""Commands on accounts: their rights, and the audit log."""

from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.server.cli.shared import DataFolder, configure_logs, on_database, print_json

if TYPE_CHECKING:
    from app.core.database.session import Database
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
    from app.site.accounts import service

    configure_logs()
    rights = on_database(data, lambda database: service.grant(database, username, right))
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
    from app.core.errors import OperatorError
    from app.people.identity.audit import last_events
    from app.people.identity.names import find
    from app.site.moderation.queries import last_actions

    async def events(database: "Database") -> list[dict[str, Any]]:
        async with database.reading_now() as session:
            if username is not None and await find(session, username) is None:
                raise OperatorError(f"No account has the name {username}.")
            events = [_event(*row) for row in await last_events(session, last, username)]
            return events + [_action(logged) for logged in await last_actions(session, last, username)]

    for line in sorted(on_database(data, events), key=itemgetter("at"), reverse=True)[:last]:
        print_json(line)


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
