"""FastAPI dependencies of live connections about accounts."""

from typing import Annotated

from app.notifications.marks import Marks
from app.web.deps import part

MarksDep = Annotated[Marks, part("marks")]
