"""The texts that players write for others, as models declare them, by the kinds that reports name."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Integer, and_, func

from app.core.database.base import Base
from app.core.database.written import Written
from app.core.declarations import import_all


class WrittenText:
    """Where a kind of texts is stored."""

    def __init__(self, model: type[Base], written: Written) -> None:
        self.written = written
        self.table = model.metadata.tables[model.__tablename__]
        self.author = self.table.c[written.author]
        (self._id,) = self.table.primary_key.columns
        self._is_numbered = self._id is not self.author and isinstance(self._id.type, Integer)

    @property
    def form(self) -> str:
        """Return the regular expression of what reports name it by."""
        return "[0-9]{1,18}" if self._is_numbered else self.written.form

    @property
    def text(self) -> ColumnElement[Any]:
        """Return the text, whose lines are columns. A single one may be null: there is no text."""
        columns = [self.table.c[name] for name, empty in self.written.empty.items() if empty is not None]
        lines = [func.array_to_string(c, "\n") if isinstance(c.type, ARRAY) else c for c in columns]
        return func.concat_ws("\n", *lines) if lines[1:] else lines[0]

    def is_at(self, name: str, author_id: int) -> ColumnElement[bool]:
        """Return the condition of the text of an author that a report names."""
        is_own = self.author == author_id
        if self._id is self.author:
            return is_own
        return and_(self._id == (int(name) if self._is_numbered else name), is_own)


@cache
def written_texts() -> Mapping[str, WrittenText]:
    """Return what reports can be about. Raise ValueError if two models name it by the same kind."""
    import_all("models")
    found: dict[str, WrittenText] = {}
    for model in Base.__subclasses__():
        if written := model.__written__:
            if written.kind in found:
                raise ValueError(f"{written.kind} is declared twice")
            found[written.kind] = WrittenText(model, written)
    return found
