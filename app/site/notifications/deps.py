"""FastAPI dependencies of live connections about accounts."""

from typing import Annotated

from app.core.web.deps import part
from app.site.notifications.marks import Marks

MarksDep = Annotated[Marks, part("marks")]
