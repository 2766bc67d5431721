"""FastAPI dependencies of routes about notifications."""

from typing import Annotated

from app.core.web.deps import part
from app.people.inbox.service import Inbox

InboxDep = Annotated[Inbox, part("inbox")]
