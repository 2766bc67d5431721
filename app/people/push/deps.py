"""FastAPI dependencies of routes about devices."""

from typing import Annotated

from app.core.web.deps import part
from app.people.push.service import Push

PushDep = Annotated[Push, part("push")]
