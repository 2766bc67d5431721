"""Ladders for programs."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from app.compete.ladders.ladder import ANSWER_WITHIN, CONTROL, INACTIVE_AFTER, MOST_DROPS, options_of
from app.compete.ladders.queries import LadderChallengeShown, LadderChanges
from app.compete.ladders.service import LadderRow, Ladders, OwnLadderPlace
from app.core.errors import found
from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.params import Before, PageDep, RankedList, TypedName
from app.core.web.problems import problems
from app.core.web.registered import GameKey, Options
from app.core.web.routes import Router
from app.core.web.shown import GameId, example
from app.people.identity.service import Identity
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import KnownProgram
from engine.clock import control_to_dict
from engine.tournaments.ladder import DROP, REACH


class LadderShown(BaseModel):
    """The ladder of a game with its terms; the games are rated.

    A player challenges somebody at most `reach` places above. A player who does not accept within
    `answer_days` loses the place. A player drops `drop` places after `inactive_days` without a game, and
    leaves the ladder after `most_drops` times that in a row.
    """

    game: GameKey
    url: Annotated[str, example("/ladders/jadejack")]
    players: int
    options: Options
    time_control: Annotated[dict[str, Any], example(control_to_dict(CONTROL))] | None
    reach: int
    answer_days: int
    inactive_days: int
    drop: int
    most_drops: int

    @classmethod
    def of(cls, game: str, players: int) -> "LadderShown":
        """Return the ladder of a game with a number of players as the API shows it."""
        return cls(
            game=game,
            url=f"/ladders/{game}",
            players=players,
            options=dict(options_of(game)),
            time_control=control_to_dict(CONTROL),
            reach=REACH,
            answer_days=ANSWER_WITHIN.days,
            inactive_days=INACTIVE_AFTER.days,
            drop=DROP,
            most_drops=MOST_DROPS,
        )


class LadderList(BaseModel):
    """The ladders of all games for two."""

    ladders: list[LadderShown]


class LadderTable(RankedList[LadderRow]):
    """A page of a ladder from the top, and the cursor of the next one."""


class LadderChallengeRequest(RequestBody):
    """The username of the player to challenge."""

    opponent: Annotated[TypedName, Field(examples=["finch"])]


class LadderGame(BaseModel):
    """The game that has begun."""

    game_id: GameId


router = Router(prefix="/api/v1", tags=["ladders"])

_CHALLENGE = "/ladders/{game:game}/challenges/{challenge_id:id}"
_REFUSALS = problems(409)
_CHANGES = 50


@router.get("/ladders")
async def list_ladders(ladders: Part[Ladders]) -> LadderList:
    """Return the ladders of all games for two, with their terms."""
    sizes = await ladders.sizes()
    return LadderList(ladders=[LadderShown.of(*each) for each in sizes.items()])


@router.get("/ladders/{game:game}")
async def read_ladder(game: str, ladders: Part[Ladders], page: PageDep) -> LadderTable:
    """Return a page of the ladder of a game from the top."""
    return LadderTable.of(await ladders.table(game, *page))


@router.get("/ladders/{game:game}/me")
async def own_place(game: str, program: KnownProgram, ladders: Part[Ladders]) -> OwnLadderPlace:
    """Return the place of the token's account, its challenges, and whom it may challenge."""
    return await _own(ladders, game, program)


@router.get("/ladders/{game:game}/changes")
async def read_changes(game: str, ladders: Part[Ladders], before: Before = None) -> LadderChanges:
    """Return what happened on a ladder, the latest first."""
    return await ladders.changes(game, before, _CHANGES)


@router.post("/ladders/{game:game}/join", responses=_REFUSALS)
async def join(game: str, program: ChallengingProgram, ladders: Part[Ladders]) -> OwnLadderPlace:
    """Join the ladder of a game at the bottom."""
    await ladders.join(game, program)
    return await _own(ladders, game, program)


@router.post("/ladders/{game:game}/leave", status_code=204, responses=_REFUSALS)
async def leave(game: str, program: ChallengingProgram, ladders: Part[Ladders]) -> None:
    """Leave a ladder. The challenge that waits for you is forfeited, yours is withdrawn."""
    await ladders.leave(game, program)


@router.post("/ladders/{game:game}/challenges", status_code=201, responses=_REFUSALS)
async def challenge(
    game: str, body: LadderChallengeRequest, program: ChallengingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Challenge a player above you; if it is not possible, `reason` says why."""
    return await ladders.challenge(game, program, body.opponent)


@router.post(_CHALLENGE + "/accept", responses=_REFUSALS)
async def accept(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> LadderGame:
    """Accept a challenge to you: the game begins."""
    return LadderGame(game_id=await ladders.accept(game, challenge_id, program))


@router.post(_CHALLENGE + "/decline", responses=_REFUSALS)
async def decline(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Decline a challenge to you: the challenger takes your place without a game."""
    return await ladders.give_way(game, challenge_id, program)


@router.post(_CHALLENGE + "/withdraw", responses=_REFUSALS)
async def withdraw(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Withdraw a challenge of yours that has not been accepted."""
    return await ladders.withdraw(game, challenge_id, program)


async def _own(ladders: Ladders, game: str, program: Identity) -> OwnLadderPlace:
    return found(await ladders.own(game, program), "player")
