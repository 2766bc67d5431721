"""Home, lobby and challenges as pages, with their live connections."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Form, Request, WebSocket
from starlette.responses import Response

from app.accounts.service import Identity, account_topic
from app.accounts.viewer import SignedIn, SignInDep, Viewer, current_viewer, go, proof_topic, same_origin
from app.database.session import Database
from app.errors import AppError, FieldError, InvalidError
from app.games.boards.jadejack_figures import figures
from app.games.deps import GamesDep
from app.games.service import Games
from app.games.views import GameCard
from app.lobby import service
from app.lobby.present import challenge_view, game_card
from app.lobby.views import ChallengeView
from app.realtime import sockets
from app.realtime.hub import Announcement
from app.web.deps import BusDep, DatabaseDep, HubDep, SettingsDep, SiteUrl, ThrottleDep
from app.web.origin import check_same_origin
from app.web.render import fragment, page
from app.web.throttle import Limit
from engine.registry import GAMES

router = APIRouter(include_in_schema=False)
forms = APIRouter(dependencies=[Depends(same_origin)], include_in_schema=False)

Text = Annotated[str, Form()]
_KINDS = {"open": "open", "link": "link", "username": "direct"}
_FORM = {"game": "jadejack", "size": "10", "side": "random", "opponent_kind": "open", "opponent": ""}


@router.get("/")
async def home(request: Request, viewer: Viewer, database: DatabaseDep, games: GamesDep) -> Response:
    """Show what can be played here, and with whom."""
    return page(
        request,
        "pages/home.html",
        kinds=list(GAMES.values()),
        challenges=(await _challenges(database, viewer))[:5],
        games=await _games(games, viewer),
    )


@router.get("/rules/jadejack")
async def rules(request: Request, _viewer: Viewer) -> Response:
    """Show the rules of JadeJack."""
    return page(request, "pages/rules_jadejack.html", figures=figures())


@router.get("/lobby")
async def lobby(request: Request, viewer: Viewer, database: DatabaseDep, games: GamesDep) -> Response:
    """Show the open challenges, the viewer's games, and the form for a new challenge."""
    return await _lobby_page(request, viewer, database, games, _FORM, {}, 200)


@forms.post("/challenges")
async def make(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    games: GamesDep,
    bus: BusDep,
    throttle: ThrottleDep,
    game: Text = _FORM["game"],
    size: Text = _FORM["size"],
    side: Text = _FORM["side"],
    opponent_kind: Text = _FORM["opponent_kind"],
    opponent: Text = "",
) -> Response:
    """Make a challenge; who is nobody yet becomes a guest."""
    maker = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{maker.id}")
    try:
        async with database.transaction() as session:
            challenge_id = await service.make(
                session, maker, game, _options(size), _kind(opponent_kind), opponent, side
            )
            challenge = await service.get(session, challenge_id)
    except InvalidError as error:
        field = error.field if isinstance(error, FieldError) else "form"
        values = {
            "game": game,
            "size": size,
            "side": side,
            "opponent_kind": opponent_kind,
            "opponent": opponent,
        }
        response = await _lobby_page(
            request, viewer, database, games, values, {field: error.message}, error.status
        )
        return sign_in.finish(response)
    service.announce(bus, challenge)
    return sign_in.finish(go(request, f"/challenges/{challenge_id}"))


@router.get("/challenges/{challenge_id}")
async def challenge_page(
    request: Request, challenge_id: str, viewer: Viewer, database: DatabaseDep, site_url: SiteUrl
) -> Response:
    """Show one challenge; an accepted one leads its players on to the game."""
    async with database.transaction() as session:
        challenge = await service.get(session, challenge_id)
    if challenge.game_id is not None:
        return go(request, f"/games/{challenge.game_id}")
    view = challenge_view(challenge, viewer)
    return page(request, "pages/challenge.html", challenge=view, site_url=site_url)


@forms.post("/challenges/{challenge_id}/accept")
async def accept(
    request: Request,
    challenge_id: str,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    bus: BusDep,
) -> Response:
    """Accept a challenge and go to the game; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    async with database.transaction() as session:
        challenge = await service.get(session, challenge_id)
        game_id = await service.accept(session, challenge, account)
    service.announce(bus, challenge, game_id)
    return sign_in.finish(go(request, f"/games/{game_id}"))


@forms.post("/challenges/{challenge_id}/decline")
async def decline(
    request: Request, challenge_id: str, viewer: SignedIn, database: DatabaseDep, bus: BusDep
) -> Response:
    """Decline a challenge."""
    async with database.transaction() as session:
        challenge = await service.get(session, challenge_id)
        await service.decline(session, challenge, viewer)
    service.announce(bus, challenge)
    return go(request, "/lobby")


@forms.post("/challenges/{challenge_id}/cancel")
async def cancel(
    request: Request, challenge_id: str, viewer: SignedIn, database: DatabaseDep, bus: BusDep
) -> Response:
    """Take a challenge back."""
    async with database.transaction() as session:
        challenge = await service.get(session, challenge_id)
        await service.cancel(session, challenge, viewer)
    service.announce(bus, challenge)
    return go(request, "/lobby")


@router.websocket("/lobby/live")
async def live_lobby(websocket: WebSocket, database: DatabaseDep, hub: HubDep, settings: SettingsDep) -> None:
    """Push the list of challenges to a page, and take its viewer to a game that starts."""

    async def render(viewer: Identity | None) -> str:
        challenges = await _challenges(database, viewer)
        return fragment("partials/lobby_update.html", challenges=challenges, viewer=viewer)

    await _live(websocket, [service.LOBBY], render, database, hub, settings)


@router.websocket("/challenges/{challenge_id}/live")
async def live_challenge(
    websocket: WebSocket,
    challenge_id: str,
    database: DatabaseDep,
    hub: HubDep,
    settings: SettingsDep,
    site_url: SiteUrl,
) -> None:
    """Push what becomes of a challenge to its page."""

    async def render(viewer: Identity | None) -> str:
        async with database.transaction() as session:
            challenge = challenge_view(await service.get(session, challenge_id), viewer)
        if challenge.game_id is not None:
            return _visit(challenge.game_id)
        return fragment(
            "partials/challenge_update.html", challenge=challenge, viewer=viewer, site_url=site_url
        )

    await _live(websocket, [service.topic(challenge_id)], render, database, hub, settings)


async def _live(
    websocket: WebSocket,
    topics: list[str],
    render: Any,
    database: Database,
    hub: HubDep,
    settings: SettingsDep,
) -> None:
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
        viewer = await current_viewer(websocket, settings, database)
        if viewer is not None:
            topics = [*topics, proof_topic(viewer), account_topic(viewer.id)]
        with hub.subscribe(*topics) as subscription:
            await websocket.send_text(await render(viewer))

            async def messages(item: Announcement | None) -> list[str]:
                if item is None:
                    return [sockets.HEARTBEAT]
                if viewer is not None and item.topic == proof_topic(viewer):
                    subscription.end(sockets.UNAUTHENTICATED)
                    return []
                if viewer is not None and item.topic == account_topic(viewer.id):
                    return [_visit(item.detail)] if item.detail else []
                return [await render(viewer)]

            await sockets.run(websocket, subscription, messages, sockets.ignore)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))


def _visit(game_id: str) -> str:
    return orjson.dumps({"visit": f"/games/{game_id}"}).decode()


def _options(size: str) -> dict[str, int]:
    if not (size.isascii() and size.isdigit() and len(size) <= 4):
        raise InvalidError("bad_options", "Choose a board size from the list.")
    return {"size": int(size)}


def _kind(opponent_kind: str) -> str:
    if opponent_kind not in _KINDS:
        raise InvalidError("bad_opponent", "Choose whom to play: anybody, a player by name, or by link.")
    return _KINDS[opponent_kind]


async def _challenges(database: Database, viewer: Identity | None) -> list[ChallengeView]:
    async with database.transaction() as session:
        found = await service.waiting(session, viewer.id if viewer else None)
    return [challenge_view(challenge, viewer) for challenge in found]


async def _games(games: Games, viewer: Identity | None) -> list[GameCard]:
    if viewer is None:
        return []
    return [game_card(game) for game in await games.of_account(viewer.id) if game.status == "started"]


async def _lobby_page(
    request: Request,
    viewer: Identity | None,
    database: Database,
    games: Games,
    values: dict[str, str],
    errors: dict[str, str],
    status: int,
) -> Response:
    return page(
        request,
        "pages/lobby.html",
        status=status,
        challenges=await _challenges(database, viewer),
        games=await _games(games, viewer),
        kinds=list(GAMES.values()),
        form_values=values,
        form_errors=errors,
    )


router.include_router(forms)
