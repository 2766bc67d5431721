"""The home page, the way to the next game, and what is said about fair play."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.tournaments.presenter import row_views
from app.compete.tournaments.service import Tournaments
from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import fingerprint, page
from app.learn.lessons.courses import COURSES
from app.learn.puzzles.presenter import puzzles_of_today
from app.learn.puzzles.service import Puzzles
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignedIn, Viewer
from app.play.days.days import today
from app.play.games.presenter.cards import featured, games_to_go_on
from app.play.games.service import Games
from app.play.lobby.presenter import WAYS, chosen_game, listing_views
from app.play.lobby.service import Lobby
from app.site.event_stream.service import situation
from app.site.home.presenter import live_home

router = page_router()

_CHALLENGES, _TOURNAMENTS = 5, 2


@router.get("/")
async def home(
    viewer: Viewer,
    games: Part[Games],
    lobby: Part[Lobby],
    puzzles: Part[Puzzles],
    tournaments: Part[Tournaments],
    offer: Annotated[str, Query(max_length=32)] = "",
) -> Response:
    """Show the ways to a game, the viewer's games under way, what is on today, and open challenges."""
    chosen = chosen_game(offer)
    overview = await lobby.overview(viewer)
    challenges = listing_views(await lobby.listing(), viewer, overview)
    running = await tournaments.listing("started", "", _TOURNAMENTS)
    coming = await tournaments.listing("created", "", _TOURNAMENTS)
    joined = {each.id for each in await tournaments.of_account(viewer.id)} if viewer else None
    to_go_on = games_to_go_on(overview.games)
    live = live_home(overview, to_go_on) if viewer else None
    return page(
        "pages/home.html",
        courses=list(COURSES.values()),
        daily=await puzzles_of_today(puzzles, viewer, chosen.key),
        today=today(),
        tournaments=row_views([*running.rows, *coming.rows][:_TOURNAMENTS], joined),
        challenges=challenges[:_CHALLENGES],
        searches=(),
        to_go_on=to_go_on,
        live=live,
        shown=fingerprint(live.update) if live else "",
        minis=await featured(games),
        chosen=chosen,
        ways=WAYS,
        usual_level=WAYS.usual_level,
    )


@router.get("/games/next")
async def next_game(
    viewer: SignedIn, games: Part[Games], lobby: Part[Lobby], after: Annotated[str, Query(max_length=32)] = ""
) -> Response:
    """Go to the most urgent game that waits for the viewer, if there is one other than `after`."""
    turns = (await situation(viewer.id, games, lobby)).turns
    others = [game for game in turns if game.id != after] or turns
    return go(f"/games/{others[0].id}" if others else "/games")


@router.get("/fair-play")
async def fair_play() -> Response:
    """Explain what counts for ratings, and what is done against unfair play."""
    return page("pages/fair_play.html")
