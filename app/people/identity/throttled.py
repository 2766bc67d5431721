"""Dependencies that identify a caller and limit how often they do something."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Request

from app.core.web.addresses import network_of
from app.core.web.deps import Part
from app.core.web.throttle import Limit, Throttle
from app.people.identity.service import Identity
from app.people.identity.viewer import Program, Viewer, playing_program, signed_in


def _limited(limit: Limit, caller: Callable[..., Any]) -> Any:
    async def count(identity: Annotated[Identity, Depends(caller)], throttle: Part[Throttle]) -> Identity:
        await throttle.hit(limit, f"account:{identity.id}")
        return identity

    return Depends(count)


def counted_as(request: Request, identity: Identity | None) -> str:
    """Return for whom an action counts: the account, or the network of a visitor who has none."""
    return f"account:{identity.id}" if identity else network_of(request)


async def _count_search(request: Request, viewer: Viewer, throttle: Part[Throttle]) -> None:
    await throttle.hit(Limit.SEARCH, counted_as(request, viewer))


SEARCHING = Depends(_count_search)
"""Limits how often a viewer searches. Those who are logged in share no limit with others at their address."""


async def _count_programs_search(request: Request, program: Program, throttle: Part[Throttle]) -> None:
    await throttle.hit(Limit.SEARCH, counted_as(request, program))


SEARCHING_FOR_PROGRAM = Depends(_count_programs_search)
"""Limits how often a program searches, with a token or without one."""


async def _count_page(request: Request, viewer: Viewer, throttle: Part[Throttle]) -> None:
    await throttle.hit(Limit.COMPUTE, counted_as(request, viewer))


async def _count_request(request: Request, program: Program, throttle: Part[Throttle]) -> None:
    await throttle.hit(Limit.COMPUTE, counted_as(request, program))


COMPUTING = Depends(_count_page)
"""Limits how often a viewer is shown what takes long to compute, which a route does in a thread."""

COMPUTING_FOR_PROGRAM = Depends(_count_request)
"""Limits how often a program reads what takes long to compute."""


async def _count_try(request: Request, viewer: Viewer, throttle: Part[Throttle]) -> None:
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
