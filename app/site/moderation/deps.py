"""FastAPI dependencies of routes about moderation."""

from typing import Annotated

from app.core.web.deps import part
from app.site.moderation.service import Moderation

ModerationDep = Annotated[Moderation, part("moderation")]
