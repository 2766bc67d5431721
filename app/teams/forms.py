"""What the forms of teams send."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from app.teams.roles import Role
from app.teams.service import Terms
from app.web.plain_text import lines, one_line

TeamName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=3, max_length=40), AfterValidator(one_line)
]
TeamText = Annotated[str, Field(max_length=2000), AfterValidator(lines)]
RequestText = Annotated[str, Field(max_length=300), AfterValidator(lines)]


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
