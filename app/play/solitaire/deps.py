"""FastAPI dependencies of routes about solitaire games and races."""

from typing import Annotated

from app.core.web.deps import part
from app.play.solitaire.service import Races, Solitaire

SolitaireDep = Annotated[Solitaire, part("solitaire")]
RacesDep = Annotated[Races, part("races")]
