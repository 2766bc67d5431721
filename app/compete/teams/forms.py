"""What the forms of teams send."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from app.compete.teams.roles import Role
from app.compete.teams.service import Terms
from app.core.web.plain_text import SHORTEST_TITLE, lines, title

TeamName = Annotated[
    str, Field(min_length=SHORTEST_TITLE, max_length=40, examples=["Sparrows of Łódź"]), AfterValidator(title)
]
TeamText = Annotated[str, Field(max_length=2000, examples=["We meet on Fridays."]), AfterValidator(lines)]
RequestText = Annotated[str, Field(max_length=300, examples=["I live next door."]), AfterValidator(lines)]


class TeamForm(BaseModel):
    """What a leader decides about a team."""

    name: TeamName
    text: TeamText = ""
    join: Literal["open", "request"] = "open"

    @property
    def terms(self) -> Terms:
        """Return the fields as a value."""
        return Terms(self.name, self.text, self.join == "open")


class JoinForm(BaseModel):
    """What a player who wants to join a team writes to its leader."""

    text: RequestText = ""


class RoleForm(BaseModel):
    """The new role of a member."""

    role: Role
