"""FastAPI dependencies of routes about achievements."""

from typing import Annotated

from app.core.web.deps import part
from app.site.awards.service import Awards

AwardsDep = Annotated[Awards, part("awards")]
