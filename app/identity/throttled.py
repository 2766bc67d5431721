"""Dependencies that identify a caller who does something that is limited for each account."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends

from app.identity.service import Identity
from app.identity.viewer import playing_program, signed_in
from app.web.deps import ThrottleDep
from app.web.throttle import Limit


def _limited(limit: Limit, caller: Callable[..., Any]) -> Any:
    async def count(identity: Annotated[Identity, Depends(caller)], throttle: ThrottleDep) -> Identity:
        await throttle.hit(limit, f"account:{identity.id}")
        return identity

    return Depends(count)


Stepping = Annotated[Identity, _limited(Limit.STEP, signed_in)]
"""A viewer who is logged in and changes something, not too often."""

Challenging = Annotated[Identity, _limited(Limit.CHALLENGE, signed_in)]
"""A viewer who is logged in and makes or begins something, not too often."""

SteppingProgram = Annotated[Identity, _limited(Limit.STEP, playing_program)]
"""A program that changes something, not too often."""

ChallengingProgram = Annotated[Identity, _limited(Limit.CHALLENGE, playing_program)]
"""A program that makes or begins something, not too often."""
