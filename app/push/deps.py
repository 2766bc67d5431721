"""FastAPI dependencies of routes about devices."""

from typing import Annotated

from app.push.service import Push
from app.web.deps import part

PushDep = Annotated[Push, part("push")]
