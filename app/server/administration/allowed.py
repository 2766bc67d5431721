"""Who may look after the server, and under which name the audit log has what they do."""

from dataclasses import replace

from app.core.errors import ForbiddenError
from app.core.i18n.text import _
from app.people.identity.clients import Client
from app.people.identity.service import Identity


def check_administrator(identity: Identity) -> None:
    """Raise ForbiddenError unless an account is an administrator's."""
    if not identity.is_administrator:
        raise ForbiddenError("not_an_administrator", _("Only administrators of the server can do this."))


def named(client: Client, identity: Identity) -> Client:
    """Return the sender of a request under the name of the administrator, for the audit log."""
    return replace(client, browser=f"administrator {identity.username}")
