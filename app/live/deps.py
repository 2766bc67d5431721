"""The FastAPI dependency of routes that serve live connections."""

from typing import Annotated

from app.core.web.deps import part
from app.live.service import Live

LiveDep = Annotated[Live, part("live")]
