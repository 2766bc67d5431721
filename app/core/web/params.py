"""The parameters that name something stored or a page of a list, and pages of rankings in the API."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, Self, TypeVar

from fastapi import Depends, Query
from pydantic import AfterValidator, BaseModel, StringConstraints
from starlette.requests import Request
from starlette.responses import Response

from app.core import ids
from app.core.database.rank_order import MAX_CURSOR, RankedPage, StoredMoment
from app.core.errors import BeyondLastPageError
from app.core.web.addresses import own_path
from app.core.web.bodies import among
from app.core.web.registered import GameKey
from app.core.web.shown import NextCursor
from engine.registry import GAMES

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

GameWanted = Annotated[GameKey, among(GAMES)] | None
"""The key of the game to which a list is limited; None: any game."""

PageSize = Annotated[int, Query(ge=1, le=200)]
"""The most rows of a page of a ranking."""

Shown = Annotated[str, Query(max_length=16)]
"""The fingerprint of the update that would change nothing in the page that opens a live connection."""

TypedName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]
"""A username as somebody typed it: the keyboards of phones add a space behind what they complete."""

OwnPath = Annotated[str, AfterValidator(own_path)]
"""The path of a page of this site; the lobby's in place of anything else."""

NextPage = Annotated[OwnPath, Query(alias="next")]
"""The page to go on to."""

OwnPlace = Literal["", "me"]
"""`me` asks for the page of a ranking that has the viewer's row."""


T = TypeVar("T")


class PageOfList(NamedTuple):
    """Which page of a list a page shows, whether there is a next one, and the parameter with its number."""

    number: int
    has_more: bool
    parameter: str


def page_of_list(
    rows: Collection[Any], number: int, *, has_more: bool, parameter: str = "number"
) -> PageOfList:
    """Return which page of a list has some rows. Raise BeyondLastPageError without any after the first."""
    if number > 1 and not rows:
        raise BeyondLastPageError(parameter)
    return PageOfList(number, has_more, parameter)


class Page(NamedTuple):
    """Which page of a ranking: after which position, and of how many rows at most."""

    cursor: str
    limit: int


async def _page(cursor: Cursor = "", limit: PageSize = 50) -> Page:
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


def rows_and_link(listed: RankedPage[T], request: Request, response: Response) -> Sequence[T]:
    """Return the rows of a page; the header `Link` gets the address of the next one as `next` (RFC 8288)."""
    if listed.next is not None:
        link_next(request, response, cursor=listed.next)
    return listed.rows


def link_next(request: Request, response: Response, **position: Any) -> None:
    """Put the address of the same list at another position into the header `Link` as `next` (RFC 8288)."""
    following = request.url.include_query_params(**position)
    response.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
