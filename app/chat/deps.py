"""FastAPI dependencies of routes about chat."""

from typing import Annotated

from app.chat.service import Chat
from app.web.deps import part

ChatDep = Annotated[Chat, part("chat")]
