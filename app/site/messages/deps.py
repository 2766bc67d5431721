"""FastAPI dependencies of routes about messages."""

from typing import Annotated

from app.core.web.deps import part
from app.site.messages.service import Messages

MessagesDep = Annotated[Messages, part("messages")]
