"""FastAPI dependencies of routes about notes."""

from typing import Annotated

from app.core.web.deps import part
from app.play.notes.service import Notes

NotesDep = Annotated[Notes, part("notes")]
