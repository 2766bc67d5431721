"""Games for one as pages: where they start, and races."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, WebSocket
from starlette.responses import Response

from app.events import Event, RaceChanged, Resync, game_topic, race_topic
from app.games.boards import BOARDS
from app.games.deps import GamesDep
from app.games.models import Game
from app.games.presenter import game_cards
from app.games.service import Games
from app.identity.service import Identity
from app.identity.viewer import SignInDep, Viewer
from app.live.deps import LiveDep
from app.live.service import push
from app.moments import from_datetime, now
from app.realtime.hub import Subscription
from app.solitaire import races, service
from app.solitaire.races import MINUTES, RaceInfo
from app.web.deps import BusDep, DatabaseDep, SiteUrl, ThrottleDep
from app.web.redirects import go
from app.web.render import fragment, page
from app.web.throttle import Limit
from engine.registry import SOLITAIRE

router = APIRouter(include_in_schema=False)

Key = Annotated[str, Form(max_length=32)]
Size = Annotated[str, Form(max_length=4)]


@router.get("/solitaire")
async def solitaire_page(
    request: Request, viewer: Viewer, database: DatabaseDep, games: GamesDep
) -> Response:
    """Show the games that one plays alone, the viewer's unfinished ones, and the races under way."""
    async with database.transaction() as session:
        under_way = await races.under_way(session)
    return page(
        request,
        "pages/solitaire.html",
        kinds=list(SOLITAIRE.values()),
        games=game_cards(await _unfinished(games, viewer)),
        races=[_race_context(race) for race in under_way],
        durations=MINUTES,
    )


async def _unfinished(games: Games, viewer: Identity | None) -> Any:
    if viewer is None:
        return []
    return await games.under_way(viewer.id, Game.second_player.is_(None), limit=20)


@router.post("/solitaire")
async def start(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    throttle: ThrottleDep,
    game: Key,
    size: Size = "",
) -> Response:
    """Start a game for one and go to it; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    async with database.transaction() as session:
        game_id = await service.start(session, account, game, service.options_of(size))
    return sign_in.finish(go(request, f"/games/{game_id}"))


@router.post("/races")
async def make_race(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    throttle: ThrottleDep,
    game: Key,
    size: Size = "",
    minutes: Annotated[int, Form()] = 10,
) -> Response:
    """Make a race and go to its page."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    async with database.transaction() as session:
        race_id = await races.make(session, account, game, service.options_of(size), minutes)
    return sign_in.finish(go(request, f"/races/{race_id}"))


@router.get("/races/{race_id:id}")
async def race_page(
    request: Request, race_id: str, viewer: Viewer, database: DatabaseDep, site_url: SiteUrl
) -> Response:
    """Show a race: who takes part, how far they are, and when it ends."""
    async with database.transaction() as session:
        race = await races.get(session, race_id)
    context = _race_context(race, viewer)
    return page(request, "pages/race.html", race=context, now=now(), link=f"{site_url}/races/{race_id}")


@router.get("/games/{game_id:id}/race")
async def race_of_game(request: Request, game_id: str, database: DatabaseDep) -> Response:
    """Go from a game to its race."""
    async with database.transaction() as session:
        race_id = await races.of_game(session, game_id)
    return go(request, f"/races/{race_id}")


@router.post("/races/{race_id:id}/join")
async def join(
    request: Request,
    race_id: str,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    throttle: ThrottleDep,
    bus: BusDep,
) -> Response:
    """Join a race, or go on with one's game in it; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.STEP, f"account:{account.id}")
    async with database.transaction() as session:
        game_id = await races.join(session, race_id, account)
    bus.publish(RaceChanged(race_id))
    return sign_in.finish(go(request, f"/games/{game_id}"))


@router.websocket("/races/{race_id:id}/live")
async def live_race(websocket: WebSocket, race_id: str, live: LiveDep, database: DatabaseDep) -> None:
    """Push the table of a race at every move of its games."""

    async def render(_event: Event | Resync | None, subscription: Subscription) -> str:
        viewer = socket.identity
        async with database.transaction() as session:
            race = await races.get(session, race_id)
        subscription.listen_also(*(game_topic(racer.game_id) for racer in race.racers))
        return fragment(
            "partials/race_update.html", race=_race_context(race, viewer), viewer=viewer, now=now()
        )

    async with live.page(websocket) as socket:
        push(socket, render, race_topic(race_id))
        await socket.closed()


def _race_context(race: RaceInfo, viewer: Identity | None = None) -> dict[str, Any]:
    rules = SOLITAIRE[race.game]
    return {
        "id": race.id,
        "title": rules.title,
        "board": BOARDS[rules].size_text(race.options),
        "key": race.game,
        "size": race.options["size"],
        "maker": race.maker,
        "deadline": from_datetime(race.ends_at),
        "is_over": race.is_over,
        "racers": race.racers,
        "tie_break": rules.tie_break,
        "own_game": race.game_of(viewer.id if viewer else None),
    }
