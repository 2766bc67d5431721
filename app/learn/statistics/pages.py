"""The explorer, and statistics of the site and of players, as pages."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query, Request
from pydantic import BaseModel, Field, field_validator
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.core.web.render import fragment, page, wants_htmx
from app.core.web.throttle import Limit, Throttle
from app.learn.statistics.explorer import ALL, ME, Explorer, Source
from app.learn.statistics.presenter import RATING_CHOICES, explored_rows, nugget_section, statistics_view
from app.learn.statistics.service import Archive
from app.people.identity.pages import page_router
from app.people.identity.throttled import counted_as
from app.people.identity.viewer import PersonDep, Viewer
from app.play.games.boards import BOARDS
from engine.game import MAX_POSITION


class ExplorerQuery(BaseModel):
    """A position of a game for two, and whose games to look at: a player's name, `mine`, or everybody's."""

    game: Annotated[str, Field(max_length=32)] = "jadejack"
    position: Annotated[str, Field(max_length=MAX_POSITION)] = ""
    player: Annotated[str, Field(max_length=32)] = ""
    mine: Annotated[str, Field(max_length=3)] = ""
    above: Annotated[int | None, Field(ge=0, le=10_000)] = None

    @field_validator("above", mode="before")
    @classmethod
    def _without_empty(cls, value: object) -> object:
        return None if value == "" else value

    @property
    def chosen(self) -> Source:
        """Return whose games to look at."""
        return Source(ME if self.mine else self.player or ALL, self.above)


router = page_router()

Game = Annotated[str | None, Query(max_length=32)]
Size = Annotated[int | None, Query(ge=0, le=100)]


@router.get("/explorer")
async def explorer_page(
    request: Request,
    query: Annotated[ExplorerQuery, Query()],
    viewer: Viewer,
    person: PersonDep,
    explorer: Part[Explorer],
    throttle: Part[Throttle],
) -> Response:
    """Show what was played in a position."""
    await throttle.hit(Limit.EDIT, counted_as(request, viewer))
    explored = await explorer.explore(query.game, query.position, query.chosen, viewer, person)
    rules = explored.rules
    text = rules.format(explored.position)
    shown: dict[str, Any] = {
        "rows": explored_rows(explored),
        "analysis_path": f"/analysis/{rules.key}?{urlencode({'position': text})}",
        "sides": rules.sides,
    }
    if wants_htmx():
        return HTMLResponse(fragment("partials/explored.html", in_panel=True, **shown))
    board = BOARDS[rules].draw(explored.position)
    wanted = {**query.model_dump(), "position": text}
    choices = RATING_CHOICES
    return page(
        "pages/explorer.html", in_panel=False, wanted=wanted, rating_choices=choices, board=board, **shown
    )


@router.get("/statistics")
async def of_site(archive: Part[Archive], game: Game = None, size: Size = None) -> Response:
    """Show the statistics of the site on a board."""
    shown = statistics_view(await archive.statistics(None, game, size), "/statistics", is_player=False)
    return page("pages/statistics.html", shown=shown, player=None)


@router.get("/statistics/golden_nugget")
async def of_nugget(archive: Part[Archive]) -> Response:
    """Show the distribution of moves by board of Golden Nugget."""
    return page("pages/statistics_nugget.html", section=nugget_section(await archive.moves_on_boards()))


@router.get("/players/{username}/statistics")
async def of_player(
    request: Request, username: str, archive: Part[Archive], game: Game = None, size: Size = None
) -> Response:
    """Show the statistics of a player on a board."""
    statistics = await archive.statistics(username, game, size)
    shown = statistics_view(statistics, request.url.path, is_player=True)
    return page("pages/statistics.html", shown=shown, player=username)
