"""The name under which the audit log has what administrators do."""

from dataclasses import replace

from app.people.identity.clients import Client
from app.people.identity.service import Identity


def named(client: Client, identity: Identity) -> Client:
    """Return the sender of a request under the name of the administrator, for the audit log."""
    return replace(client, browser=f"administrator {identity.username}")
