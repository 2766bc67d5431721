"""FastAPI dependencies of routes about notes."""

from typing import Annotated

from app.notes.service import Notes
from app.web.deps import part

NotesDep = Annotated[Notes, part("notes")]
