"""FastAPI dependencies of routes about teams."""

from typing import Annotated

from fastapi import Query

from app.compete.teams.joining import Joining
from app.compete.teams.service import Teams
from app.core.web.deps import part

TeamsDep = Annotated[Teams, part("teams")]
JoiningDep = Annotated[Joining, part("joining")]

Words = Annotated[str, Query(max_length=64, pattern=r"^[^\x00]*$")]
"""Words in the names of teams; may be empty."""
