"""FastAPI dependencies of routes about chat."""

from typing import Annotated

from app.core.web.deps import part
from app.play.chat.service import Chat

ChatDep = Annotated[Chat, part("chat")]
