"""Players and their games for programs."""

from typing import Annotated

from fastapi import Depends, Query, Request
from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.params import PageNumber, link_next
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import SEARCHING_FOR_PROGRAM, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, Program
from app.play.ratings.schemas import RatingsBySpeed
from app.site.awards.service import Awards
from app.site.players.queries import GamesWanted
from app.site.players.schemas import AboutShown, AwardList, Player, PlayerList, PlayersGame, ProfileText
from app.site.players.service import Players

router = Router(prefix="/api/v1", tags=["players"])


@router.get(
    "/players",
    dependencies=[SEARCHING_FOR_PROGRAM],
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def players_named(
    players: Part[Players],
    q: Annotated[str, Query(max_length=64)] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 20,
) -> PlayerList:
    """Return the players whose names begin with `q`, the shortest names first; none for an empty `q`."""
    return PlayerList(players=await players.named(q.strip(), limit))


@router.get("/players/{username}", openapi_extra=TOKEN_IS_OPTIONAL)
async def player(username: str, program: Program, players: Part[Players]) -> Player:
    """Return a player's ratings, results and best scores, as the token's account sees them."""
    return Player.of(await players.profile(username, program))


@router.get("/players/{username}/games", openapi_extra=TOKEN_IS_OPTIONAL)
async def games_of_player(
    request: Request,
    response: Response,
    username: str,
    program: Program,
    players: Part[Players],
    wanted: Annotated[GamesWanted, Depends()],
    limit: Annotated[int, Query(ge=1, le=100)] = 30,
    number: PageNumber = 1,
) -> list[PlayersGame]:
    """Return a page of a player's games, those under way first, then the latest; `number` is the page's.

    `game`, `rated` and `status` limit them. Private boards are shown to their player only. The header `Link`
    has the address of the next page as `rel="next"` (RFC 8288).
    """
    listed = await players.games(username, program, wanted, number=number, limit=limit)
    if listed.has_more:
        link_next(request, response, number=number + 1)
    return [PlayersGame.model_validate(each) for each in listed.games]


@router.get("/players/{username}/ratings")
async def ratings_by_speed(username: str, players: Part[Players]) -> RatingsBySpeed:
    """Return a player's ratings by speed, from the latest rated games. Only those of all games are ranked."""
    return RatingsBySpeed.of(await players.ratings_by_speed(username))


@router.get("/players/{username}/achievements")
async def achievements(username: str, awards: Part[Awards]) -> AwardList:
    """Return what a player has achieved, each with the first game or entry that proves it."""
    return AwardList(achievements=await awards.of_player(username))


@router.get("/me/profile", responses=problems(403))
async def own_profile(program: KnownProgram, players: Part[Players]) -> AboutShown:
    """Return what the token's account tells on its profile."""
    return await players.about(program)


@router.put("/me/profile")
async def set_profile(body: ProfileText, program: SteppingProgram, players: Part[Players]) -> AboutShown:
    """Replace what the token's account tells on its profile."""
    await players.describe(program, lambda _stored: body.about)
    return body.about
