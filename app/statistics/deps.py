"""FastAPI dependencies of routes about what has been played."""

from typing import Annotated

from app.statistics.service import Archive
from app.web.deps import part

ArchiveDep = Annotated[Archive, part("archive")]
