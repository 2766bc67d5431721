"""The home page, the way to the next game, and what is said about fair play."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.tournaments.presenter import row_views
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.views import TournamentRow
from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import fingerprint, page
from app.learn.lessons.courses import COURSES
from app.learn.puzzles.presenter import puzzles_of_today
from app.learn.puzzles.service import Puzzles
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import SignedIn, Viewer
from app.play.days.days import today
from app.play.games.presenter.cards import featured, games_to_go_on
from app.play.games.service import Games
from app.play.lobby.presenter import WAYS, chosen_game, listing_views
from app.play.lobby.service import Lobby
from app.site.event_stream.service import situation
from app.site.home.presenter import live_home
from engine.search.levels import USUAL

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
    to_go_on = games_to_go_on(overview.games)
    live = live_home(overview, to_go_on) if viewer else None
    return page(
        "pages/home.html",
        courses=list(COURSES.values()),
        daily=await puzzles_of_today(puzzles, viewer, chosen.key),
        today=today(),
        tournaments=await _tournaments(tournaments, viewer),
        challenges=challenges[:_CHALLENGES],
        searches=(),
        to_go_on=to_go_on,
        live=live,
        shown=fingerprint(live.update) if live else "",
        minis=await featured(games),
        chosen=chosen,
        ways=WAYS,
        usual_level=USUAL,
    )


async def _tournaments(tournaments: Tournaments, viewer: Identity | None) -> list[TournamentRow]:
    """Return the first tournaments that are played, or that come if there are fewer."""
    shown = list((await tournaments.listing("started", "", _TOURNAMENTS)).rows)
    if len(shown) < _TOURNAMENTS:
        shown += (await tournaments.listing("created", "", _TOURNAMENTS - len(shown))).rows
    own = await tournaments.of_account(viewer.id) if viewer and shown else ()
    return row_views(shown, {each.id for each in own} if viewer else None)


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
