"""FastAPI dependencies of routes about moderation."""

from typing import Annotated

from app.moderation.service import Moderation
from app.web.deps import part

ModerationDep = Annotated[Moderation, part("moderation")]
