"""FastAPI dependencies of routes about what has been played."""

from typing import Annotated

from app.core.web.deps import part
from app.learn.statistics.service import Archive

ArchiveDep = Annotated[Archive, part("archive")]
