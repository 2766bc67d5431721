"""FastAPI dependencies of routes about notifications."""

from typing import Annotated

from app.inbox.service import Inbox
from app.web.deps import part

InboxDep = Annotated[Inbox, part("inbox")]
