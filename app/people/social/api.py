"""Following, muting and blocking for programs."""

from typing import Any

from pydantic import BaseModel

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import Shown, Username
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.people.social.relations import Relation
from app.people.social.service import Social


class Named(Shown):
    """A player by name."""

    username: Username


class NamedPlayers(BaseModel):
    """Players by name."""

    players: list[Named]


router = Router(prefix="/api/v1", tags=["players"])

_CHANGE: dict[str, Any] = {"status_code": 204, "responses": problems(409)}


@router.put("/players/{username}/{relation:relation}", **_CHANGE)
async def relate(username: str, relation: Relation, program: SteppingProgram, social: Part[Social]) -> None:
    """Follow, mute or block a player, who is not told."""
    await social.relate(program, username, relation)


@router.delete("/players/{username}/{relation:relation}", **_CHANGE)
async def undo(username: str, relation: Relation, program: SteppingProgram, social: Part[Social]) -> None:
    """Undo following, muting or blocking a player."""
    await social.undo(program, username, relation)


@router.get("/me/blocked")
async def blocked(program: KnownProgram, social: Part[Social]) -> NamedPlayers:
    """List the players whom the token's account has blocked."""
    return NamedPlayers(players=await social.related(program.id, Relation.BLOCK))


@router.get("/me/muted")
async def muted(program: KnownProgram, social: Part[Social]) -> NamedPlayers:
    """List the players whom the token's account has muted."""
    return NamedPlayers(players=await social.related(program.id, Relation.MUTE))
