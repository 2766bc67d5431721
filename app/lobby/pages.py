"""Home, lobby and challenges as pages, with their live connections."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, WebSocket
from starlette.responses import HTMLResponse, Response

from app.accounts.service import Identity, account_topic
from app.accounts.viewer import SignedIn, SignInDep, Viewer, current_viewer, go, proof_topic, same_origin
from app.database.session import Database
from app.errors import AppError, FieldError, ForbiddenError, InvalidError
from app.games.boards.jadejack_figures import figures
from app.games.deps import GamesDep
from app.games.present import control_text, game_cards
from app.games.service import Games
from app.games.spectate import in_progress
from app.games.views import GameCard
from app.lobby import service
from app.lobby.deps import LobbyDep
from app.lobby.form import BLANK, ChallengeForm, FilterDep, control_named, options_of
from app.lobby.lobby import Lobby
from app.lobby.present import challenge_view, challenges_html
from app.lobby.service import DECLINE_REASONS, LOBBY, QUICK_CONTROLS, Terms
from app.lobby.views import ChallengeView
from app.ratings import service as ratings
from app.realtime import sockets
from app.realtime.hub import Announcement, Subscription
from app.web.deps import DatabaseDep, HubDep, SettingsDep, SiteUrl, ThrottleDep
from app.web.origin import check_same_origin
from app.web.render import fragment, page
from app.web.throttle import Limit
from engine.clock import DAYS
from engine.glicko2 import Rating
from engine.registry import GAMES

router = APIRouter(include_in_schema=False)
forms = APIRouter(dependencies=[Depends(same_origin)], include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Who looks at the lobby, with what they may accept."""

    viewer: Identity | None
    ratings: dict[str, Rating]


@router.get("/")
async def home(
    request: Request, viewer: Viewer, database: DatabaseDep, games: GamesDep, lobby: LobbyDep
) -> Response:
    """Show what can be played here, and with whom."""
    onlooker = await _onlooker(database, viewer)
    return page(
        request,
        "pages/home.html",
        kinds=list(GAMES.values()),
        challenges=(await _open_challenges(lobby, onlooker))[:5],
        games=await _games(games, viewer),
        featured=await in_progress(games, 1),
    )


@router.get("/rules/jadejack")
async def rules(request: Request, _viewer: Viewer) -> Response:
    """Show the rules of JadeJack."""
    return page(request, "pages/rules_jadejack.html", figures=figures())


@router.get("/lobby")
async def lobby_page(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    wanted: FilterDep,
    opponent: str = "",
) -> Response:
    """Show the open challenges, the viewer's games, and the form for a new challenge."""
    values = {**BLANK, "opponent_kind": "username", "opponent": opponent} if opponent else BLANK
    context = await _lobby_context(database, games, lobby, viewer)
    challenges = await _open_challenges(lobby, await _onlooker(database, viewer))
    return page(
        request,
        "pages/lobby.html",
        challenges=[challenge for challenge in challenges if wanted.takes(challenge)],
        wanted=wanted,
        form_values=values,
        form_errors={},
        **context,
    )


@forms.post("/challenges")
async def make(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    form: Annotated[ChallengeForm, Form()],
) -> Response:
    """Make a challenge; who is nobody yet becomes a guest."""
    maker = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{maker.id}")
    try:
        challenge = await lobby.make(maker, form.terms, form.kind, form.opponent)
    except (InvalidError, ForbiddenError) as error:
        field = error.field if isinstance(error, FieldError) else "form"
        onlooker = await _onlooker(database, viewer)
        response: Response = page(
            request,
            "pages/lobby.html",
            status=error.status,
            challenges=await _open_challenges(lobby, onlooker),
            wanted=None,
            form_values=form.model_dump(),
            form_errors={field: error.message},
            **await _lobby_context(database, games, lobby, viewer),
        )
        return sign_in.finish(response)
    return sign_in.finish(go(request, f"/challenges/{challenge.id}"))


@forms.post("/challenges/pair")
async def pair(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    game: Annotated[str, Form(max_length=32)] = BLANK["game"],
    size: Annotated[str, Form(max_length=4)] = BLANK["size"],
    time: Annotated[str, Form(max_length=16)] = "",
) -> Response:
    """Find an opponent by one click: accept a waiting challenge, or make one."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    terms = Terms(game, options_of(size), control=control_named(time), rated=not account.is_guest)
    challenge, game_id = await lobby.pair(account, terms)
    where = f"/games/{game_id}" if game_id else f"/challenges/{challenge.id}"
    return sign_in.finish(go(request, where))


@router.get("/challenges/{challenge_id}")
async def challenge_page(
    request: Request,
    challenge_id: str,
    viewer: Viewer,
    database: DatabaseDep,
    lobby: LobbyDep,
    site_url: SiteUrl,
) -> Response:
    """Show one challenge; an accepted one leads its players on to the game."""
    challenge = await lobby.get(challenge_id)
    if challenge.game_id is not None:
        return go(request, f"/games/{challenge.game_id}")
    onlooker = await _onlooker(database, viewer)
    view = challenge_view(challenge, viewer, onlooker.ratings)
    return page(
        request, "pages/challenge.html", challenge=view, site_url=site_url, decline_reasons=DECLINE_REASONS
    )


@forms.post("/challenges/{challenge_id}/accept")
async def accept(
    request: Request, challenge_id: str, viewer: Viewer, sign_in: SignInDep, lobby: LobbyDep
) -> Response:
    """Accept a challenge and go to the game; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    game_id = await lobby.accept(challenge_id, account)
    return sign_in.finish(go(request, f"/games/{game_id}"))


@forms.post("/challenges/{challenge_id}/decline")
async def decline(
    request: Request,
    challenge_id: str,
    viewer: SignedIn,
    lobby: LobbyDep,
    reason: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Decline a challenge; htmx stays on the page, whose live connection takes the challenge away."""
    await lobby.decline(challenge_id, viewer, reason or None)
    return Response(status_code=204) if request.headers.get("HX-Request") else go(request, "/lobby")


@forms.post("/challenges/{challenge_id}/cancel")
async def cancel(request: Request, challenge_id: str, viewer: SignedIn, lobby: LobbyDep) -> Response:
    """Take a challenge back."""
    await lobby.cancel(challenge_id, viewer)
    return go(request, "/lobby")


@forms.post("/games/{game_id}/rematch")
async def rematch(
    request: Request, game_id: str, viewer: SignedIn, lobby: LobbyDep, throttle: ThrottleDep
) -> Response:
    """Offer a rematch, or accept the opponent's offer and go to the new game."""
    await throttle.hit(Limit.CHALLENGE, f"account:{viewer.id}")
    challenge, started = await lobby.rematch(game_id, viewer)
    if started is not None:
        return go(request, f"/games/{started}")
    if request.headers.get("HX-Request"):
        return HTMLResponse(
            fragment(
                "partials/notice.html", message="Your opponent has been asked. This page goes on to the game."
            )
        )
    return go(request, f"/challenges/{challenge.id}")


@router.websocket("/lobby/live")
async def live_lobby(
    websocket: WebSocket,
    database: DatabaseDep,
    hub: HubDep,
    settings: SettingsDep,
    games: GamesDep,
    lobby: LobbyDep,
    wanted: FilterDep,
) -> None:
    """Push the lists of the lobby to a page."""
    onlooker = Onlooker(None, {})

    async def render(viewer: Identity | None, item: Announcement | None) -> str:
        nonlocal onlooker
        if item is None or item.topic != LOBBY:
            onlooker = await _onlooker(database, viewer)
        challenges = await _open_challenges(lobby, onlooker, item if item and item.topic == LOBBY else None)
        context: dict[str, Any] = {
            "challenges_html": challenges_html(list(filter(wanted.takes, challenges))),
            "viewer": viewer,
            "concerning": None,
        }
        if viewer is not None and (item is None or item.topic != LOBBY):
            context |= await _lobby_context(database, games, lobby, viewer)
        return fragment("partials/lobby_update.html", **context)

    await _live(websocket, [LOBBY], render, database, hub, settings)


@router.websocket("/challenges/{challenge_id}/live")
async def live_challenge(
    websocket: WebSocket,
    challenge_id: str,
    database: DatabaseDep,
    hub: HubDep,
    settings: SettingsDep,
    lobby: LobbyDep,
    site_url: SiteUrl,
) -> None:
    """Push what becomes of a challenge to its page."""

    async def render(viewer: Identity | None, _item: Announcement | None) -> str:
        challenge = await lobby.get(challenge_id)
        if challenge.game_id is not None:
            return sockets.visit(f"/games/{challenge.game_id}")
        view = challenge_view(challenge, viewer, (await _onlooker(database, viewer)).ratings)
        return fragment(
            "partials/challenge_update.html",
            challenge=view,
            viewer=viewer,
            site_url=site_url,
            decline_reasons=DECLINE_REASONS,
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
            await _push(websocket, subscription, viewer, render)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))


async def _push(
    websocket: WebSocket, subscription: Subscription, viewer: Identity | None, render: Any
) -> None:
    async def messages(item: Announcement | None) -> list[str]:
        if item is None:
            return [sockets.HEARTBEAT]
        if viewer is not None and item.topic == proof_topic(viewer):
            subscription.end(sockets.UNAUTHENTICATED)
            return []
        return [await render(viewer, item)]

    await sockets.run(websocket, subscription, messages, sockets.ignore, await render(viewer, None))


async def _onlooker(database: Database, viewer: Identity | None) -> Onlooker:
    if viewer is None:
        return Onlooker(None, {})
    async with database.transaction() as session:
        known = await ratings.of_account(session, viewer.id)
    return Onlooker(viewer, {game: rating for game, (rating, _) in known.items()})


async def _open_challenges(
    lobby: Lobby, onlooker: Onlooker, hint: Announcement | None = None
) -> list[ChallengeView]:
    listing = await lobby.listing(hint)
    return [
        challenge_view(
            challenge, onlooker.viewer, onlooker.ratings, online=challenge.maker.id in listing.online
        )
        for challenge in listing.challenges
    ]


async def _games(games: Games, viewer: Identity | None) -> list[GameCard]:
    if viewer is None:
        return []
    return game_cards(await games.of_account(viewer.id, limit=100, under_way=True))


async def _lobby_context(
    database: Database, games: Games, lobby: Lobby, viewer: Identity | None
) -> dict[str, Any]:
    """Give what the lobby shows beside the open challenges."""
    onlooker = await _onlooker(database, viewer)
    concerning = await lobby.concerning(viewer.id) if viewer else []
    return {
        "concerning": [challenge_view(one, viewer, onlooker.ratings) for one in concerning],
        "games": await _games(games, viewer),
        "kinds": list(GAMES.values()),
        "quick": [control_text(control) for control in QUICK_CONTROLS],
        "days": DAYS,
        "decline_reasons": DECLINE_REASONS,
    }


router.include_router(forms)
