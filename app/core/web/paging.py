"""Pages of rankings: what asks for one, and the shape of what the API returns."""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, NamedTuple, Self, TypeVar

from fastapi import Depends
from pydantic import BaseModel

from app.core.database.ranking import RankedPage
from app.core.web.params import Cursor, PageSize
from app.core.web.shown import NextCursor

T = TypeVar("T")


class Page(NamedTuple):
    """Which page of a ranking: after which position, and of how many rows at most."""

    cursor: str
    limit: int


def _page(cursor: Cursor = "", limit: PageSize = 50) -> Page:
    return Page(cursor, limit)


PageDep = Annotated[Page, Depends(_page)]


class RankedList(BaseModel, Generic[T]):
    """A page of a ranking, and the cursor of the next one."""

    rows: Sequence[T]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[Any], **further: Any) -> Self:
        """Return a page of a ranking as the API shows it, with what it has besides."""
        return cls(rows=page.rows, next=page.next, **further)
