"""FastAPI dependencies of routes about achievements."""

from typing import Annotated

from app.awards.service import Awards
from app.web.deps import part

AwardsDep = Annotated[Awards, part("awards")]
