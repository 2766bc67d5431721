"""Who gives commands and asks for work, and dependencies that limit how often they do."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Request

from app.core.jobs.queue import Asker
from app.core.web.addresses import network_of
from app.core.web.deps import Part
from app.core.web.throttle import Limit, Throttle
from app.people.identity.service import Identity
from app.people.identity.viewer import (
    Sender,
    asking_program,
    current_viewer,
    playing_program,
    signed_in,
)


def counted_as(request: Request, identity: Identity | None) -> str:
    """Return for whom an action counts: the account, or the network of a visitor who has none."""
    return f"account:{identity.id}" if identity else network_of(request)


def _limited(limit: Limit, caller: Callable[..., Any]) -> Any:
    """Return the dependency that counts an action of a caller, who may be None, and returns the caller."""

    async def count(
        request: Request, identity: Annotated[Identity | None, Depends(caller)], throttle: Part[Throttle]
    ) -> Identity | None:
        await throttle.hit(limit, counted_as(request, identity))
        return identity

    return Depends(count)


SEARCHING = _limited(Limit.SEARCH, current_viewer)
"""Limits how often a viewer searches. Those who are logged in share no limit with others at their address."""

SEARCHING_FOR_PROGRAM = _limited(Limit.SEARCH, asking_program)
"""Limits how often a program searches, with a token or without one."""

COMPUTING = _limited(Limit.COMPUTE, current_viewer)
"""Limits how often a viewer is shown what takes long to compute, which a route does in a thread."""

COMPUTING_FOR_PROGRAM = _limited(Limit.COMPUTE, asking_program)
"""Limits how often a program reads what takes long to compute."""

EVALUATING = _limited(Limit.EVALUATE, current_viewer)
"""Limits how often a viewer has a position evaluated."""

TRYING_FOR_PROGRAM = _limited(Limit.STEP, asking_program)
"""Limits how often a program tries a move in a lesson, with a token or without one."""


async def _count_try(request: Request, viewer: Sender, throttle: Part[Throttle]) -> None:
    await throttle.hit(Limit.STEP if viewer else Limit.TRY_NETWORK, counted_as(request, viewer))


TRYING = Depends(_count_try)
"""Limits how often a viewer tries a move in a lesson or puzzle, who needs no account for it."""

Stepping = Annotated[Identity, _limited(Limit.STEP, signed_in)]
"""A viewer who is logged in and changes something, not too often."""

Challenging = Annotated[Identity, _limited(Limit.CHALLENGE, signed_in)]
"""A viewer who is logged in and makes or begins something, not too often."""

SteppingProgram = Annotated[Identity, _limited(Limit.STEP, playing_program)]
"""A program that changes something, not too often."""

ChallengingProgram = Annotated[Identity, _limited(Limit.CHALLENGE, playing_program)]
"""A program that makes or begins something, not too often."""

Reviewing = Annotated[Identity, _limited(Limit.REVIEW, signed_in)]
"""A viewer who is logged in and asks for what workers compute for a long time, not too often."""

ReviewingProgram = Annotated[Identity, _limited(Limit.REVIEW, playing_program)]
"""A program that asks for what workers compute for a long time, not too often."""


def queued_as(request: Request, identity: Identity) -> str:
    """Return for whom work is queued: an account, or the network of a guest, in which there may be many."""
    return network_of(request) if identity.is_guest else counted_as(request, identity)


def asker_of(request: Request, account_id: int | None) -> Asker:
    """Return who asks for work by a request: an account, or without one (None) the caller's network."""
    name = network_of(request) if account_id is None else f"account:{account_id}"
    return Asker(name, request.is_disconnected)
