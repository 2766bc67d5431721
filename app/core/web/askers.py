"""Who asks for background work."""

from starlette.requests import Request

from app.core.jobs.queue import Asker
from app.core.web.addresses import network_of


def asker_of(request: Request, account_id: int | None) -> Asker:
    """Return who asks for work by a request: an account, or without one (None) the caller's network."""
    name = network_of(request) if account_id is None else f"account:{account_id}"
    return Asker(name, request.is_disconnected)
