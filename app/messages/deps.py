"""FastAPI dependencies of routes about messages."""

from typing import Annotated

from app.messages.service import Messages
from app.web.deps import part

MessagesDep = Annotated[Messages, part("messages")]
