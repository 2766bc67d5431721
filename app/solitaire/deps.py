"""FastAPI dependencies of routes about solitaire games and races."""

from typing import Annotated

from app.solitaire.service import Races, Solitaire
from app.web.deps import part

SolitaireDep = Annotated[Solitaire, part("solitaire")]
RacesDep = Annotated[Races, part("races")]
