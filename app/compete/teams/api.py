"""Teams for programs."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field, Strict

from app.compete.teams.chat import TeamChat
from app.compete.teams.decisions import Ends
from app.compete.teams.queries import (
    ApplicantShown,
    MemberList,
    Role,
    TeamDetails,
    TeamGameShown,
    TeamList,
    TeamShown,
)
from app.compete.teams.service import Teams, TeamSettings
from app.core.web.bodies import OptionalBody, RequestBody
from app.core.web.deps import Part, SiteUrl
from app.core.web.params import PageNumber
from app.core.web.plain_text import SHORTEST_TITLE, Cleaned, lines, words
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import Id, Unchecked, example
from app.core.web.throttle import Limit, Throttle
from app.people.identity.throttled import SEARCHING_FOR_PROGRAM, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, PlayingProgram, Program
from app.play.chat.schemas import LineRequest, Messages, Said

TeamName = Annotated[
    str, Field(min_length=SHORTEST_TITLE, max_length=40, examples=["Sparrows of Łódź"]), Cleaned(words)
]
TeamText = Annotated[str, Field(max_length=2000, examples=["We meet on Fridays."]), Cleaned(lines)]
RequestText = Annotated[str, Field(max_length=300, examples=["I live next door."]), Cleaned(lines)]

Words = Annotated[str, Query(max_length=64, pattern=r"^[^\x00]*$")]
"""Words in the names of teams; may be empty."""


class TeamTerms(RequestBody):
    """What a leader decides about a team; with `request`, players have to be let in."""

    name: TeamName
    text: TeamText = ""
    join: Literal["open", "request"] = "open"

    @property
    def settings(self) -> TeamSettings:
        """Return what is stored of it."""
        return TeamSettings(self.name, self.text, is_open=self.join == "open")


class TeamMade(BaseModel):
    """A new team."""

    id: Id
    url: Annotated[str, example("https://play.example/teams/k7m2wq9xab")]


class MembershipRequest(RequestBody):
    """What a player who wants to join a team writes to its leader.

    With `join`, only if the team lets players in as you have seen it.
    """

    text: RequestText = ""
    join: Literal["open", "request"] | None = None

    @property
    def seen_as_open(self) -> bool | None:
        """Return whether the player has seen the team as open, None if they have not looked."""
        return None if self.join is None else self.join == "open"


class LeavingRequest(RequestBody):
    """With `ends`, only if leaving ends this: your request, your membership, that you lead, or the team."""

    ends: Annotated[Ends, Strict(False)] | None = None


class AdmissionRequest(RequestBody):
    """With `is_refused`, only if the player was refused, or was not, as you have seen it."""

    is_refused: bool | None = None


class MembershipShown(BaseModel):
    """Whether a player is a member now, or has asked to become one."""

    status: Unchecked[Literal["member", "asked"]]


class RoleChange(RequestBody):
    """The new role of a member; `leader` hands the team over."""

    role: Literal["leader", "officer", "member"]


router = Router(prefix="/api/v1", tags=["teams"])

_ONE = "/teams/{team_id:id}"
_REFUSALS = problems(409)
_PAGE = 50


@router.get(
    "/teams",
    dependencies=[SEARCHING_FOR_PROGRAM],
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def teams(teams: Part[Teams], q: Words = "", number: PageNumber = 1) -> TeamList:
    """Return a page of the teams whose names contain `q`, the largest first; `number` is the page's."""
    return await teams.named(q.strip(), number=number, limit=_PAGE)


@router.get("/me/teams")
async def own_teams(program: KnownProgram, teams: Part[Teams]) -> Sequence[TeamShown]:
    """Return the teams of the token's account."""
    return await teams.of_account(program.id)


@router.post("/teams", status_code=201, responses=problems(409))
async def create(body: TeamTerms, program: SteppingProgram, teams: Part[Teams], site: SiteUrl) -> TeamMade:
    """Make a team, which the token's account leads."""
    team_id = await teams.create(program, body.settings)
    return TeamMade(id=team_id, url=f"{site}/teams/{team_id}")


@router.get(_ONE, openapi_extra=TOKEN_IS_OPTIONAL)
async def team(team_id: str, program: Program, teams: Part[Teams]) -> TeamDetails:
    """Return a team."""
    return await teams.get(team_id, program)


@router.put(_ONE, status_code=204)
async def change(team_id: str, body: TeamTerms, program: SteppingProgram, teams: Part[Teams]) -> None:
    """Change a team that the token's account leads."""
    await teams.change(program, team_id, lambda _stored: body.settings)


@router.post(_ONE + "/close", status_code=204)
async def close(team_id: str, program: SteppingProgram, teams: Part[Teams]) -> None:
    """Close a team that the token's account leads, for good."""
    await teams.close(program, team_id)


@router.get(_ONE + "/members")
async def members(team_id: str, teams: Part[Teams], number: PageNumber = 1) -> MemberList:
    """Return a page of the members of a team, with their ratings."""
    await teams.get(team_id, None)
    return await teams.members(team_id, number=number, limit=_PAGE)


@router.get(_ONE + "/games")
async def games(team_id: str, teams: Part[Teams]) -> Sequence[TeamGameShown]:
    """Return the last games that members of a team have finished."""
    await teams.get(team_id, None)
    return await teams.games(team_id)


@router.post(_ONE + "/join", responses=_REFUSALS)
async def join(
    team_id: str, body: OptionalBody[MembershipRequest], program: SteppingProgram, teams: Part[Teams]
) -> MembershipShown:
    """Join an open team, or ask to join another one."""
    is_member = await teams.join(program, team_id, body.text, body.seen_as_open)
    return MembershipShown(status="member" if is_member else "asked")


@router.post(_ONE + "/leave", status_code=204, responses=problems(409))
async def leave(
    team_id: str, program: SteppingProgram, teams: Part[Teams], body: OptionalBody[LeavingRequest]
) -> None:
    """Leave a team, or withdraw the request to join it. The last member closes it."""
    await teams.leave(program, team_id, body.ends)


@router.get(_ONE + "/requests", responses=problems(403))
async def requests(team_id: str, program: KnownProgram, teams: Part[Teams]) -> Sequence[ApplicantShown]:
    """Return who wants to join a team, and who was refused or removed; for its leader and officers."""
    return await teams.applicants(program, team_id)


@router.post(_ONE + "/requests/{username}/accept", status_code=204, responses=_REFUSALS)
async def admit(
    team_id: str,
    username: str,
    program: SteppingProgram,
    teams: Part[Teams],
    body: OptionalBody[AdmissionRequest],
) -> None:
    """Admit a player who has asked; one who was refused or removed may ask again."""
    await teams.admit(program, team_id, username, body.is_refused)


@router.post(_ONE + "/requests/{username}/decline", status_code=204, responses=_REFUSALS)
async def refuse(team_id: str, username: str, program: SteppingProgram, teams: Part[Teams]) -> None:
    """Refuse a player who has asked, for good."""
    await teams.refuse(program, team_id, username)


@router.put(_ONE + "/members/{username}", status_code=204, responses=_REFUSALS)
async def set_role(
    team_id: str, username: str, body: RoleChange, program: SteppingProgram, teams: Part[Teams]
) -> None:
    """Change the role of a member."""
    await teams.set_role(program, team_id, username, Role(body.role))


@router.delete(_ONE + "/members/{username}", status_code=204, responses=_REFUSALS)
async def remove(team_id: str, username: str, program: SteppingProgram, teams: Part[Teams]) -> None:
    """Remove a member, who cannot join again until an officer accepts it."""
    await teams.remove(program, team_id, username)


@router.get(_ONE + "/chat", responses=problems(403))
async def read_chat(team_id: str, program: KnownProgram, chat: Part[TeamChat]) -> Messages:
    """Return the last messages of the members' chat, the oldest first; for members only."""
    return Messages.of(await chat.read(program, team_id))


@router.post(_ONE + "/chat", status_code=201, responses=_REFUSALS)
async def say(
    team_id: str, body: LineRequest, program: PlayingProgram, chat: Part[TeamChat], throttle: Part[Throttle]
) -> Said:
    """Post a message in the members' chat. New accounts can send greetings only."""
    await throttle.hit(Limit.CHAT, f"account:{program.id}")
    return Said.of(await chat.say(program, team_id, body.words))
