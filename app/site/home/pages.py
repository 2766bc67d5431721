"""The home page, the way to the next game, and what is said about fair play."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.tournaments.service import Tournaments
from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignedIn, Viewer
from app.play.games.presenter.cards import featured, pictured_cards
from app.play.games.service import Games
from app.play.lobby.presenter import CHOICES, listing_views
from app.play.lobby.service import Lobby
from app.site.notifications.service import situation
from engine.registry import FOR_TWO, SOLITAIRE

router = page_router()

_CHALLENGES = 5


@router.get("/")
async def home(
    viewer: Viewer, games: Part[Games], lobby: Part[Lobby], tournaments: Part[Tournaments]
) -> Response:
    """Show the games, open challenges, and the viewer's games under way."""
    overview = await lobby.overview(viewer)
    challenges = listing_views(await lobby.listing(), viewer, overview)
    coming = await tournaments.listing("created", "", 1)
    return page(
        "pages/home.html",
        tournaments=coming.rows,
        duels=list(FOR_TWO.values()),
        levels=CHOICES["levels"],
        usual_level=CHOICES["usual_level"],
        solitaires=list(SOLITAIRE.values()),
        challenges=challenges[:_CHALLENGES],
        games=pictured_cards(overview.games),
        minis=await featured(games),
        friends=overview.friends,
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
