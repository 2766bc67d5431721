"""The FastAPI dependency of routes that serve live connections."""

from typing import Annotated

from app.live.service import Live
from app.web.deps import part

LiveDep = Annotated[Live, part("live")]
