"""FastAPI dependencies of routes about tournaments."""

from typing import Annotated

from app.tournaments.service import Tournaments
from app.web.deps import part

TournamentsDep = Annotated[Tournaments, part("tournaments")]
