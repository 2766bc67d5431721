"""Teams in the JSON API, and what forms about them send."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator, BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import SHORTEST_TITLE, lines, title
from app.core.web.shown import Id, Unchecked, example

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
    def is_open(self) -> bool:
        """Return whether everybody may join."""
        return self.join == "open"


class TeamMade(BaseModel):
    """A new team."""

    id: Id
    url: Annotated[str, example("https://play.example/teams/k7m2wq9xab")]


class MembershipRequest(RequestBody):
    """What a player who wants to join a team writes to its leader."""

    text: RequestText = ""


class MembershipShown(BaseModel):
    """Whether a player is a member now, or has asked to become one."""

    status: Unchecked[Literal["member", "asked"]]


class RoleChange(RequestBody):
    """The new role of a member; `leader` hands the team over."""

    role: Literal["leader", "officer", "member"]
