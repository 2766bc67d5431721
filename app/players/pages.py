"""The pages of players: the viewer's own games, and profiles."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from app.games.presenter import game_card, game_cards
from app.identity.viewer import Viewer
from app.players.deps import PlayersDep
from app.players.forms import GameFilter
from app.players.presenter import description, may_challenge, rating_view
from app.players.views import FILTERS
from app.web.render import page
from engine.registry import SOLITAIRE

router = APIRouter(include_in_schema=False)

_PAGE = 30
_ENTRIES = 5


@router.get("/games")
async def my_games(
    request: Request,
    viewer: Viewer,
    players: PlayersDep,
    number: Annotated[int, Query(ge=1, le=1000)] = 1,
) -> Response:
    """Show the viewer's games: those under way, the most urgent first, and those that are over."""
    if viewer is None:
        return RedirectResponse("/login?next=/games", 303)
    over = await players.games_over(viewer, number=number, limit=_PAGE)
    return page(
        request,
        "pages/my_games.html",
        games=game_cards(await players.games_under_way(viewer)),
        over=[game_card(game) for game in over.games],
        number=over.number,
        has_more=over.has_more,
    )


@router.get("/players/{username}")
async def profile(
    request: Request,
    username: str,
    viewer: Viewer,
    players: PlayersDep,
    wanted: Annotated[GameFilter, Query()],
) -> Response:
    """Show a player: ratings with their charts, results, best scores, entries and games."""
    player = await players.profile(username, viewer)
    games = await players.games(
        username,
        number=wanted.number,
        limit=_PAGE,
        game=wanted.game or None,
        rated={"yes": True, "no": False}.get(wanted.rated),
        status=wanted.status or None,
    )
    return page(
        request,
        "pages/player.html",
        player=player.account,
        description=description(player.account),
        may_challenge=may_challenge(player.account, viewer),
        online=player.is_online,
        ratings=[rating_view(rating) for rating in player.ratings],
        results=player.results,
        best=[(SOLITAIRE[key], size, score) for key, size, score in player.scores],
        between=player.against_viewer,
        games=[game_card(game) for game in games.games],
        filters=FILTERS,
        wanted=wanted.model_dump(exclude={"number"}),
        number=games.number,
        has_more=games.has_more,
        entries=player.entries[:_ENTRIES],
    )
