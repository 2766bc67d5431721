"""The pages about players: one's own games, and anybody's profile."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from app.accounts import access
from app.accounts.settings_pages import settings_page
from app.errors import ConflictError, FieldError, NotFoundError
from app.events import ProofRevoked
from app.games.deps import GamesDep
from app.games.models import Game
from app.games.presenter import game_card, game_cards
from app.games.queries import for_two, played_by
from app.games.service import Games
from app.games.wording import change_text, rating_text
from app.identity.service import find
from app.identity.viewer import SignedIn, SignInDep, Viewer
from app.lobby.deps import LobbyDep
from app.nugget import entries
from app.players import service, views
from app.scores import queries as scores
from app.web.charts import lines
from app.web.deps import BusDep, DatabaseDep, PresenceDep, ThrottleDep
from app.web.render import page
from app.web.throttle import Limit
from engine.registry import GAMES, SOLITAIRE

router = APIRouter(include_in_schema=False)

_PAGE = 30
PageNumber = Annotated[int, Query(ge=1, le=1000)]
Word = Annotated[str, Query(max_length=32)]


@router.get("/games")
async def my_games(request: Request, viewer: Viewer, games: GamesDep, number: PageNumber = 1) -> Response:
    """Show the viewer's games: under way, the most urgent first; and those that are over."""
    if viewer is None:
        return RedirectResponse("/login?next=/games", 303)
    mine = played_by(viewer.id)
    over = await games.summaries(
        viewer.id, mine, Game.status != "started", limit=_PAGE + 1, offset=_PAGE * (number - 1)
    )
    return page(
        request,
        "pages/my_games.html",
        games=game_cards(await games.under_way(viewer.id, limit=500)),
        over=[game_card(game) for game in over[:_PAGE]],
        number=number,
        has_more=len(over) > _PAGE,
    )


@router.get("/players/{username}")
async def profile(
    request: Request,
    username: str,
    viewer: Viewer,
    database: DatabaseDep,
    games: GamesDep,
    presence: PresenceDep,
    game: Word = "",
    rated: Word = "",
    status: Word = "",
    number: PageNumber = 1,
) -> Response:
    """Show a player: ratings with their charts, results, games, entries, and the score against the viewer."""
    async with database.transaction() as session:
        account = await find(session, username)
        if account is None:
            raise NotFoundError("player")
        rated_games = await service.game_ratings(session, account.id)
        results = await service.tally(session, account.id)
        between = (
            await service.tally(session, viewer.id, account.id)
            if viewer and viewer.id != account.id
            else None
        )
        best = await scores.of_account(session, account.id)
        submitted = await entries.of_account(session, account.id, viewer.id if viewer else None)
    conditions = [played_by(account.id)]
    if game in GAMES:
        conditions.append(Game.game == game)
    if rated in ("yes", "no"):
        conditions.append(Game.rated.is_(rated == "yes"))
    if status in ("started", "finished"):
        conditions.append(Game.status == status)
    found = await games.summaries(account.id, *conditions, limit=_PAGE + 1, offset=_PAGE * (number - 1))
    return page(
        request,
        "pages/player.html",
        player=account,
        description=views.description(account),
        may_challenge=account.closed_at is None and (viewer is None or viewer.id != account.id),
        online=account.id in await presence.online([account.id]),
        ratings=[_shown(one) for one in rated_games],
        results=results,
        best=[(SOLITAIRE[key], size, row) for key, size, row in best],
        between=between,
        games=[game_card(one) for one in found[:_PAGE]],
        filters=views.FILTERS,
        wanted={"game": game, "rated": rated, "status": status},
        number=number,
        has_more=len(found) > _PAGE,
        entries=submitted[:5],
    )


@router.post("/account/computer")
async def declare_computer(request: Request, viewer: SignedIn, database: DatabaseDep) -> Response:
    """Mark the viewer's account as one that a program plays with."""
    try:
        async with database.transaction() as session:
            await service.declare_computer(session, viewer)
    except ConflictError as error:
        return await settings_page(
            request, database, viewer, status=error.status, errors={"computer": error.message}
        )
    return RedirectResponse("/account?saved=computer", 303)


@router.post("/account/close")
async def close_account(
    request: Request,
    viewer: SignedIn,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    bus: BusDep,
    sign_in: SignInDep,
    close_password: Annotated[str, Form(max_length=256)] = "",
) -> Response:
    """Close the viewer's account for good; games under way have to be ended first."""
    await throttle.hit(Limit.LOGIN, f"name:{viewer.username.lower()}")
    try:
        await _check_nothing_under_way(games, viewer.id)
        async with database.transaction() as session:
            ended = await access.close(session, viewer, close_password)
    except FieldError as error:
        return await settings_page(
            request, database, viewer, status=error.status, errors={error.field: error.message}
        )
    await lobby.withdraw_all(viewer.id)
    for proof in ended:
        bus.publish(ProofRevoked(proof.hex()))
    return sign_in.forget(RedirectResponse("/", 303))


async def _check_nothing_under_way(games: Games, account_id: int) -> None:
    if await games.under_way(account_id, for_two(), limit=1):
        raise FieldError(
            "close_password", "games_under_way", "You have games under way. Play or resign them first."
        )


def _shown(one: service.GameRating) -> dict[str, object]:
    chart = None
    if one.history:
        (first, start, _), (last, *_) = one.history[0], one.history[-1]
        chart = lines(
            f"Rating at {GAMES[one.game].title} by game",
            [[start, *(after for _, _, after in one.history)]],
            (f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}"),
        )
    return {
        "title": GAMES[one.game].title,
        "key": one.game,
        "text": rating_text(one.rating),
        "deviation": round(one.rating.deviation),
        "games": one.rated_games,
        "place": one.place,
        "chart": chart,
        "history": [
            (f"{at:%Y-%m-%d}", f"{after:.0f}", change_text(after - before))
            for at, before, after in one.history
        ],
    }
