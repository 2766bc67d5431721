"""The types of parameters in queries and forms that name something stored, or a page of a list."""

from typing import Annotated, Literal

from fastapi import Query

from app.core import ids
from app.core.database.ranking import MAX_CURSOR, StoredMoment

QueryId = Annotated[str, Query(pattern=rf"^({ids.PATTERN})?$")]
"""The id of a game, challenge, race, run or entry in a query; may be empty."""

Cursor = Annotated[str, Query(max_length=MAX_CURSOR)]
"""The position after which a page of a ranking begins: `next` of the page before, or empty."""

Before = Annotated[int, Query(ge=1, lt=1 << 63)] | None
"""The id of a stored thing before which a page of a list ends; None: the last page."""

BeforeMoment = Annotated[StoredMoment, Query()] | None
"""The moment before which a page of a list ends; None: the last page."""

PageNumber = Annotated[int, Query(ge=1, le=10_000)]
"""The number of a page of a list that is short enough to count pages."""

PageSize = Annotated[int, Query(ge=1, le=200)]
"""The most rows of a page of a ranking."""

OwnPlace = Literal["", "me"]
"""`me` asks for the page of a ranking that has the viewer's row."""
