"""Teams in the JSON API, and what forms about them send."""

from typing import Annotated, Literal, Self

from fastapi import Query
from pydantic import AfterValidator, BaseModel, Field

from app.compete.teams.models import Team
from app.compete.teams.roles import Role
from app.compete.teams.service import TeamInfo, TeamPage, Terms
from app.core.web.bodies import RequestBody
from app.core.web.plain_text import SHORTEST_TITLE, lines, title
from app.core.web.shown import Id, Unchecked, Username, example

TeamName = Annotated[
    str, Field(min_length=SHORTEST_TITLE, max_length=40, examples=["Sparrows of Łódź"]), AfterValidator(title)
]
TeamText = Annotated[str, Field(max_length=2000, examples=["We meet on Fridays."]), AfterValidator(lines)]
RequestText = Annotated[str, Field(max_length=300, examples=["I live next door."]), AfterValidator(lines)]

Words = Annotated[str, Query(max_length=64, pattern=r"^[^\x00]*$")]
"""Words in the names of teams; may be empty."""


class TeamTerms(RequestBody):
    """What a leader decides about a team; with `request`, players have to be let in."""

    name: TeamName
    text: TeamText = ""
    join: Literal["open", "request"] = "open"

    @property
    def terms(self) -> Terms:
        """Return it as a value."""
        return Terms(self.name, self.text, self.join == "open")


class TeamMade(BaseModel):
    """A new team."""

    id: Id
    url: Annotated[str, example("https://play.example/teams/k7m2wq9xab")]


class TeamShown(BaseModel):
    """A team; `members` is their number."""

    id: Id
    name: Annotated[str, example("Sparrows of Łódź")]
    text: Annotated[str, example("We meet on Fridays.")]
    join: Unchecked[Literal["open", "request"]]
    members: int

    @classmethod
    def of(cls, team: Team) -> "TeamShown":
        """Return a team as the API shows it."""
        join: Literal["open", "request"] = "open" if team.is_open else "request"
        return cls(id=team.id, name=team.name, text=team.text, join=join, members=team.size)


class TeamList(BaseModel):
    """A page of teams, the largest first."""

    teams: list[TeamShown]
    has_more: bool

    @classmethod
    def of(cls, page: TeamPage) -> Self:
        """Return a page of teams as the API shows it."""
        return cls(teams=[TeamShown.of(team) for team in page.teams], has_more=page.has_more)


class TeamDetails(TeamShown):
    """A team with its leader, and the role of the token's account: null if it is no member."""

    leader: Username
    role: Unchecked[Role | None]

    @classmethod
    def with_viewer(cls, info: TeamInfo) -> "TeamDetails":
        """Return a team as the API shows it to a viewer."""
        return cls(**TeamShown.of(info.team).model_dump(), leader=info.leader, role=info.role)


class MembershipRequest(RequestBody):
    """What a player who wants to join a team writes to its leader."""

    text: RequestText = ""


class MembershipShown(BaseModel):
    """Whether a player is a member now, or has asked to become one."""

    status: Unchecked[Literal["member", "asked"]]


class RoleChange(RequestBody):
    """The new role of a member; `leader` hands the team over."""

    role: Literal["leader", "officer", "member"]
